package io.seriatim;

import org.junit.jupiter.api.Test;

/** Calls that share writes. */
public class OrderedSequenceLincheckTest extends InterleavedSequence {

    public OrderedSequenceLincheckTest() {
        super(SequenceDefinition.ascending().contract(Contract.ORDERED));
    }

    @Test
    void handOut_underStress_isLinearizable() {
        checkUnderStress();
    }
}
