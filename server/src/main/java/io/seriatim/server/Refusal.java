package io.seriatim.server;

/** Ends the reading of a request that cannot be carried out. */
final class Refusal extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final transient Problem problem;

    Refusal(Problem problem) {
        super(problem.detail(), null, false, false);
        this.problem = problem;
    }

    Problem problem() {
        return problem;
    }
}
