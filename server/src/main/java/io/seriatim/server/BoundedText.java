package io.seriatim.server;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** Takes an answer's body as text; one that is longer than it may be ends with an {@link IOException}. */
final class BoundedText implements BodySubscriber<String> {

    private final BodySubscriber<String> text = BodySubscribers.ofString(StandardCharsets.UTF_8);
    private long left;
    private Flow.@Nullable Subscription subscription;

    BoundedText(long mostBytes) {
        left = mostBytes;
    }

    @Override
    public CompletionStage<String> getBody() {
        return text.getBody();
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        subscription = given;
        text.onSubscribe(given);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        if (left < 0) {
            return;
        }
        for (ByteBuffer buffer : buffers) {
            left -= buffer.remaining();
        }
        if (left >= 0) {
            text.onNext(buffers);
            return;
        }
        Flow.Subscription present = subscription;
        if (present != null) {
            present.cancel();
        }
        text.onError(new IOException("an answer is longer than it may be"));
    }

    @Override
    public void onError(Throwable e) {
        text.onError(e);
    }

    @Override
    public void onComplete() {
        if (left >= 0) {
            text.onComplete();
        }
    }
}
