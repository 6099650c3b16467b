package io.seriatim.server;

/** What the command line sends its calls to. */
interface Target {

    /**
     * Sends a call and returns its answer.
     *
     * @throws Refusal if there is nobody to answer it
     */
    Reply send(Call call);

    /**
     * Stays open for many calls, from many threads.
     *
     * @throws Refusal if there is nobody to answer them
     */
    Session session();

    /** A target that stays open. */
    interface Session extends AutoCloseable {
        Reply send(Call call);

        @Override
        void close();
    }
}
