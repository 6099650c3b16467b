package io.seriatim.server;

import io.undertow.server.HttpServerExchange;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xnio.ChannelListeners;
import org.xnio.IoUtils;
import org.xnio.XnioExecutor;
import org.xnio.channels.StreamSinkChannel;

/** Sends events to callers as they happen, to a bounded number of them. */
final class Followers implements AutoCloseable {

    /*
     * A follower is on one of three ways: it reads a page (on a thread of its own kind, as that asks the store), it writes
     * that page (on the I/O thread of its connection, as fast as the caller reads), or it rests until its partition has
     * something new. The next page is read only when the one before is written whole, so a caller who reads slowly holds
     * one page and no thread, and nobody waits for it. Everything but the reading happens on the I/O thread.
     *
     * Undertow's own handler of such connections takes what it is given into a queue without a bound, and does not tell of
     * a caller who has stopped to read.
     *
     * What cannot go on ends, in order or not: the caller comes again with the last id that it has seen, to whatever
     * partition is there then.
     */

    /** Two threads keep up with the log: a page is one read, and a look at the epoch where the store is shared. */
    private static final int THREADS = 2;

    /** So many times nothing was read by the caller since the last look; then it is taken for gone. */
    private static final int STALLS = 4;

    private static final byte[] GREETING = "retry: 1000\n\n".getBytes(StandardCharsets.UTF_8);
    private static final byte[] COMMENT = ":\n\n".getBytes(StandardCharsets.UTF_8);
    private static final byte[] NOTHING = new byte[0];

    private static final Logger LOG = LoggerFactory.getLogger(Followers.class);

    private final Semaphore places;
    private final ThreadPoolExecutor readers;
    private final Consumer<SocketAddress> alive;
    private final Set<Follower> all = ConcurrentHashMap.newKeySet();
    private final long keepAliveMillis;
    private volatile boolean closed;

    /**
     * @param most how many there may be
     * @param keepAlive how long nothing is sent at most
     * @param alive told of the address of a caller who reads, so that its connection is not taken for idle
     */
    Followers(int most, Duration keepAlive, Consumer<SocketAddress> alive) {
        this.places = new Semaphore(most);
        this.alive = alive;
        this.keepAliveMillis = keepAlive.toMillis();
        this.readers =
                new ThreadPoolExecutor(THREADS, THREADS, 10, TimeUnit.SECONDS, new ArrayBlockingQueue<>(most), task -> {
                    Thread thread = new Thread(task, "seriatim-follow");
                    thread.setDaemon(true);
                    return thread;
                });
        readers.allowCoreThreadTimeOut(true);
    }

    /** Whether one more has found a place, which it gives back when it ends. */
    boolean admit() {
        return !closed && places.tryAcquire();
    }

    /** Sends events to the caller of an exchange whose headers are set, in a place that it has. */
    void start(HttpServerExchange exchange, EventFeed feed, ByteBuffer first) {
        Follower follower = new Follower(exchange, feed);
        all.add(follower);
        follower.onItsThread(() -> follower.start(first));
        if (closed) {
            follower.onItsThread(follower::endInOrder);
        }
    }

    /** How many there are. */
    int count() {
        return all.size();
    }

    /** Ends all; what is written already still arrives. */
    @Override
    public void close() {
        closed = true;
        all.forEach(follower -> follower.onItsThread(follower::endInOrder));
        readers.shutdown();
    }

    private final class Follower {
        private final HttpServerExchange exchange;
        private final EventFeed feed;
        private final AtomicBoolean told = new AtomicBoolean();

        // of the I/O thread
        private ByteBuffer unwritten = ByteBuffer.wrap(NOTHING);
        private boolean isFlushed = true;
        private boolean reading;
        private boolean again;
        private boolean ending;
        private final AtomicBoolean over = new AtomicBoolean();
        private int stalls;

        private @Nullable StreamSinkChannel channel;
        private XnioExecutor.@Nullable Key ticking;
        private @Nullable Runnable silence;

        Follower(HttpServerExchange exchange, EventFeed feed) {
            this.exchange = exchange;
            this.feed = feed;
        }

        void onItsThread(Runnable task) {
            try {
                exchange.getIoThread().execute(task);
            } catch (RejectedExecutionException e) {
                LOG.debug("a follower outlived its connection", e);
                end();
            }
        }

        void start(ByteBuffer first) {
            StreamSinkChannel opened = exchange.getResponseChannel();
            channel = opened;
            opened.getWriteSetter().set(unused -> write());
            opened.getCloseSetter().set(unused -> end());
            ticking = exchange.getIoThread().executeAtInterval(this::tick, keepAliveMillis, TimeUnit.MILLISECONDS);
            silence = feed.listen(this::tell);
            again = true;
            unwritten = ByteBuffer.allocate(GREETING.length + first.remaining())
                    .put(GREETING)
                    .put(first)
                    .flip();
            write();
        }

        /** From the thread of the partition. */
        private void tell() {
            if (told.compareAndSet(false, true)) {
                onItsThread(() -> {
                    told.set(false);
                    again = true;
                    goOn();
                });
            }
        }

        /** Does what comes next, if nothing is under way. */
        private void goOn() {
            if (over.get() || reading || unwritten.hasRemaining() || !isFlushed) {
                return;
            }
            if (ending) {
                finish();
            } else if (again) {
                again = false;
                reading = true;
                try {
                    readers.execute(this::read);
                } catch (RejectedExecutionException e) {
                    reading = false;
                    endInOrder();
                }
            }
        }

        /** On a thread that may wait. */
        private void read() {
            byte[] page;
            try {
                page = feed.next();
            } catch (RuntimeException | Error e) {
                LOG.debug("a follower cannot go on", e);
                onItsThread(() -> {
                    reading = false;
                    endInOrder();
                });
                return;
            }
            onItsThread(() -> {
                reading = false;
                again |= page.length > 0;
                unwritten = ByteBuffer.wrap(page);
                write();
            });
        }

        private void write() {
            StreamSinkChannel to = channel;
            if (over.get() || to == null) {
                return;
            }
            try {
                isFlushed = false;
                while (unwritten.hasRemaining()) {
                    if (to.write(unwritten) == 0) {
                        to.resumeWrites();
                        return;
                    }
                    stalls = 0;
                }
                if (!to.flush()) {
                    to.resumeWrites();
                    return;
                }
                isFlushed = true;
                to.suspendWrites();
                alive.accept(exchange.getConnection().getPeerAddress());
            } catch (IOException | RuntimeException e) {
                LOG.debug("a follower is gone", e);
                cut();
                return;
            }
            goOn();
        }

        private void tick() {
            if (over.get() || reading) {
                return;
            }
            if (unwritten.hasRemaining() || !isFlushed) {
                stalls++;
                if (stalls >= STALLS) {
                    cut();
                }
            } else {
                unwritten = ByteBuffer.wrap(COMMENT);
                write();
            }
        }

        /** Ends behind what is being written. */
        void endInOrder() {
            ending = true;
            goOn();
        }

        private void finish() {
            StreamSinkChannel to = channel;
            end();
            if (to != null) {
                try {
                    to.shutdownWrites();
                    if (!to.flush()) {
                        to.getWriteSetter().set(ChannelListeners.flushingChannelListener(null, null));
                        to.resumeWrites();
                    }
                } catch (IOException e) {
                    LOG.debug("a follower is gone", e);
                    cut();
                }
            }
        }

        private void cut() {
            end();
            IoUtils.safeClose(exchange.getConnection());
            exchange.endExchange();
        }

        private void end() {
            if (!over.compareAndSet(false, true)) {
                return; // also from another thread, if the connection's is gone
            }
            if (ticking != null) {
                ticking.remove();
            }
            if (silence != null) {
                silence.run();
            }
            all.remove(this);
            places.release();
        }
    }
}
