package io.seriatim.server;

import java.time.Duration;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Prints events one after another, page by page, and perhaps waits for more. */
final class EventTail {

    /*
     * The offset to go on from is kept here and not at the server, and it moves when an event has been printed. So
     * whatever breaks in between, a connection, a page or a server, the next question is for the event behind the last
     * one printed: none is skipped and none comes twice. An answer with another offset than the one asked for is no answer
     * of this log.
     */

    /**
     * What is asked for.
     *
     * @param path of the events
     * @param inWorkspace whether offsets are of the WLog
     * @param from offset of the first event
     * @param limit how many at most
     * @param follow whether to wait for more
     */
    record Wanted(String path, boolean inWorkspace, long from, long limit, boolean follow) {}

    private static final long PAGE = 1_000;

    /** How long after an answer without events the next question comes. */
    private static final Duration PAUSE = Duration.ofMillis(100);

    /** How long after a failure. */
    private static final Duration RETRY = Duration.ofMillis(500);

    private final Wanted wanted;
    private final Target.Session session;
    private final Main main;
    private final Terminal terminal;

    private long next;
    private long left;
    private boolean lost;

    EventTail(Wanted wanted, Target.Session session, Main main, Terminal terminal) {
        this.wanted = wanted;
        this.session = session;
        this.main = main;
        this.terminal = terminal;
        next = wanted.from();
        left = wanted.limit();
    }

    /**
     * Prints until there is nothing more to print.
     *
     * @return the exit code
     */
    int run() throws InterruptedException {
        if (!wanted.follow()) {
            return printAll();
        }
        try (CleanEnd end = CleanEnd.onSignal()) {
            return follow(end);
        }
    }

    private int printAll() {
        while (left > 0) {
            Reply reply = ask();
            if (!reply.isSuccess()) {
                return ended(reply);
            }
            long before = next;
            if (!print(reply, CleanEnd.NONE)) {
                return ExitCode.UNEXPECTED;
            }
            if (next == before) {
                return ExitCode.OK;
            }
        }
        return ExitCode.OK;
    }

    private int follow(CleanEnd end) throws InterruptedException {
        boolean answered = false;
        while (left > 0) {
            Reply reply;
            try {
                reply = ask();
                answered = true;
            } catch (Refusal e) {
                if (!answered) {
                    throw e; // most likely the address is wrong
                }
                reply = e.problem().reply();
            }
            long before = next;
            if (reply.isSuccess()) {
                found();
                if (!print(reply, end)) {
                    return ExitCode.UNEXPECTED;
                }
                pause(next == before ? PAUSE : Duration.ZERO);
            } else if (Terminal.exitCode(reply) == ExitCode.TRY_AGAIN) {
                lose(reply);
                pause(RETRY);
            } else {
                return ended(reply);
            }
        }
        return ExitCode.OK;
    }

    /** Behind events a problem goes to stderr alone: who reads them line by line would take it for one. */
    private int ended(Reply reply) {
        if (next == wanted.from()) {
            return terminal.show(reply, Terminal.Form.NOTHING);
        }
        terminal.say(Terminal.sentence(reply));
        return Terminal.exitCode(reply);
    }

    private static void pause(Duration pause) throws InterruptedException {
        if (!pause.isZero()) {
            Thread.sleep(pause.toMillis());
        }
    }

    private Reply ask() {
        String query = "from=" + next + "&limit=" + Math.min(PAGE, left);
        return session.send(main.call("GET", wanted.path(), query, "", Map.of()));
    }

    /** Says once that there is no answer. */
    private void lose(Reply reply) {
        if (!lost) {
            terminal.say(Terminal.sentence(reply) + "; waiting to go on at offset " + next);
            lost = true;
        }
    }

    private void found() {
        if (lost) {
            terminal.say("going on at offset " + next);
            lost = false;
        }
    }

    /** Prints what an answer has; false if it cannot be written. */
    private boolean print(Reply reply, CleanEnd end) {
        for (JsonNode event : Terminal.read(reply).path("events")) {
            long offset = event.path(wanted.inWorkspace() ? "wlogOffset" : "plogOffset")
                    .asLong();
            if (offset != next) {
                throw new Refusal(Problem.corrupt(
                        "asked for the event at offset " + next + ", the answer begins with that at " + offset));
            }
            if (!end.uninterrupted(() -> terminal.printEvent(event, offset))) {
                terminal.say("the event at offset " + next + " could not be written to stdout");
                return false;
            }
            next++;
            left--;
        }
        return true;
    }
}
