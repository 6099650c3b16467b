package io.seriatim.verification;

/** A call of a port, as an enum has it. */
public interface StoreCall {

    /** Whether it is a write whose outcome can be unknown. */
    boolean isWrite();
}
