import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Follows the events of a user's locations. Copy this class, which needs only the JDK (17 or newer).
 *
 * <p>After a disconnect, the consumer waits for the time that the server requests and resumes after the last event. It
 * detects dead connections by missing heartbeats. When its token expires, it puts a new token on the subscription and
 * resumes. When the subscription was deleted, it creates another one. Run as a program, it follows the server
 * VENDOR_CLOUD_URL.
 */
public final class StreamConsumer {
    /** Returns another access token after the current one has expired. */
    public interface TokenSource {
        String renew() throws IOException, InterruptedException;
    }

    /** A response with an error status. */
    public static final class StatusException extends IOException {
        final int status;
        final long retryAfterMs;

        StatusException(HttpResponse<?> response, InputStream body) throws IOException {
            super(response.statusCode() + " " + new String(body.readNBytes(500), StandardCharsets.UTF_8));
            status = response.statusCode();
            String after = response.headers().firstValue("retry-after").orElse("");
            retryAfterMs = after.matches("[0-9]{1,5}") ? Long.parseLong(after) * 1000 : 0;
        }

        boolean mayPass() {
            return status >= 500 || Set.of(408, 409, 429).contains(status);
        }
    }

    private enum Outcome { OVER, GONE, CUT }

    private record Subscription(String id, String url, String json) {}

    private static final long LONGEST_PAUSE_MS = 60_000;
    private static final ScheduledExecutorService TIMER = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "stall timer");
        thread.setDaemon(true);
        return thread;
    });

    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String url;
    private final TokenSource tokens;
    private final BiConsumer<String, String> handle;
    private final Consumer<String> handleGap;
    private final Duration silence;
    private String token;
    private String lastId = "";
    private long retryMs = 1000;
    private int failures;
    private boolean isReplaced;

    /**
     * @param handle is called once for each event, with its name and its JSON
     * @param handleGap is called with the JSON of the subscription when events were lost. Read the current state again
     * @param heartbeat the time between two heartbeats of the server
     */
    public StreamConsumer(String url, String token, TokenSource tokens, BiConsumer<String, String> handle,
            Consumer<String> handleGap, Duration heartbeat) {
        this.url = url.replaceAll("/+$", "");
        this.token = token;
        this.tokens = tokens;
        this.handle = handle;
        this.handleGap = handleGap;
        this.silence = heartbeat.multipliedBy(3);
    }

    /** Returns when a newer connection has taken over the stream. Throws an error response that is not temporary. */
    public void run() throws StatusException, InterruptedException {
        Subscription subscription = null;
        boolean isExpired = false;
        while (true) {
            long pause = 0;
            try {
                if (subscription == null || isExpired) subscription = subscribe(subscription);
                isExpired = false;
                Outcome outcome = follow(subscription);
                if (outcome == Outcome.OVER) return;
                if (outcome == Outcome.GONE) {
                    subscription = null;
                    isReplaced = true;
                }
            } catch (StatusException failure) {
                if (subscription != null && failure.status == 404) {
                    subscription = null;
                    isReplaced = true;
                } else if (subscription != null && failure.status == 401 && !isExpired) {
                    isExpired = true;
                } else if (!failure.mayPass()) {
                    throw failure;
                }
                pause = failure.retryAfterMs;
                failures++;
            } catch (IOException failure) {
                failures++;
            }
            Thread.sleep(Math.max(pause, nextPause()));
        }
    }

    /** Returns the delay that the server requested. Consecutive failures double it, with random jitter. */
    private long nextPause() {
        if (failures < 2) return retryMs;
        long doubled = Math.min(retryMs << Math.min(failures - 1, 10), LONGEST_PAUSE_MS);
        return (long) (Math.max(retryMs, doubled) * ThreadLocalRandom.current().nextDouble(1, 1.2));
    }

    /** Creates a subscription, or replaces an existing one, which then has the current token and can resume. */
    private Subscription subscribe(Subscription existing) throws IOException, InterruptedException {
        String wish = "{\"name\":\"all\",\"version\":1,\"subscriptionFilters\":[{\"type\":\"LOCATIONIDS\",\"value\":[\"ALL\"]}]}";
        String method = existing == null ? "POST" : "PUT";
        String path = existing == null ? "/subscriptions" : "/subscriptions/" + existing.id();
        if (existing == null) lastId = "";
        String reply;
        try {
            reply = call(method, path, BodyPublishers.ofString(wish));
        } catch (StatusException failure) {
            if (failure.status != 401) throw failure;
            token = tokens.renew();
            reply = call(method, path, BodyPublishers.ofString(wish));
        }
        Map<String, String> fields = readFields(reply);
        return new Subscription(fields.get("subscriptionId"), fields.get("registrationUrl"), reply);
    }

    private String call(String method, String path, HttpRequest.BodyPublisher body)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .method(method, body);
        try (InputStream reply = send(request).body()) {
            return new String(reply.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private HttpResponse<InputStream> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<InputStream> response = client.send(request.timeout(silence).build(), BodyHandlers.ofInputStream());
        if (response.statusCode() < 300) return response;
        try (InputStream body = response.body()) {
            throw new StatusException(response, body);
        }
    }

    /** Handles events until the stream ends. Returns whether to stop, to subscribe again or to reconnect. */
    private Outcome follow(Subscription subscription) throws IOException, InterruptedException {
        // The URL itself grants access, so it is used unchanged and without the token.
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(subscription.url()))
                .header("Accept", "text/event-stream")
                .header("Cache-Control", "no-store");
        if (!lastId.isEmpty()) request.header("Last-Event-ID", lastId);
        HttpResponse<InputStream> response = send(request);
        try (Lines lines = new Lines(response.body(), silence)) {
            if (response.statusCode() == 204) return Outcome.OVER;
            if (isReplaced) handleGap.accept(subscription.json());
            isReplaced = false;
            return readEvents(lines, subscription);
        }
    }

    /** Parses the stream as in the HTML Standard, section 9.2.6. An incomplete event is discarded. */
    private Outcome readEvents(Lines lines, Subscription subscription) throws IOException, InterruptedException {
        String event = "";
        StringBuilder data = new StringBuilder();
        String id = lastId;
        for (String line = lines.next(); line != null; line = lines.next()) {
            String[] parts = line.split(":", 2);
            String value = parts.length < 2 ? "" : parts[1].startsWith(" ") ? parts[1].substring(1) : parts[1];
            if (line.isEmpty()) {
                if (data.length() > 0) {
                    data.setLength(data.length() - 1);
                    if (dispatch(event, data.toString(), id, subscription) == Outcome.GONE) return Outcome.GONE;
                }
                event = "";
                data.setLength(0);
            }
            switch (parts[0]) {
                case "event" -> event = value;
                case "data" -> data.append(value).append('\n');
                case "id" -> id = value.indexOf('\0') < 0 ? value : id;
                case "retry" -> retryMs = value.matches("[0-9]{1,9}") ? Long.parseLong(value) : retryMs;
                default -> { }
            }
        }
        return Outcome.CUT;
    }

    private Outcome dispatch(String event, String data, String id, Subscription subscription)
            throws IOException, InterruptedException {
        failures = 0;
        if (!event.equals("CONTROL_EVENT")) {
            if (!id.equals(lastId)) handle.accept(event, data);
        } else if (data.equals("goodbye")) {
            return Outcome.GONE;
        } else if (data.equals("gap")) {
            handleGap.accept(call("GET", "/subscriptions/" + subscription.id(), BodyPublishers.noBody()));
        }
        lastId = id;
        return null;
    }

    /** Reads lines that end with CR, LF or CRLF. Chunks may be split anywhere, even within a character. */
    private static final class Lines implements AutoCloseable {
        private final InputStream stream;
        private final Duration silence;
        private final byte[] piece = new byte[8192];
        private ScheduledFuture<?> stall;
        private int at;
        private int end;
        private boolean isFirst = true;
        private boolean isAfterCr;

        Lines(InputStream stream, Duration silence) {
            this.stream = stream;
            this.silence = silence;
            watch();
        }

        /** Returns null at the end of the stream. */
        String next() throws IOException {
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            while (true) {
                if (at == end) {
                    at = 0;
                    end = stream.read(piece);
                    watch();
                    if (end < 0) return null;
                }
                byte next = piece[at++];
                boolean isRestOfEnd = next == '\n' && isAfterCr;
                isAfterCr = next == '\r';
                if (isRestOfEnd) continue;
                if (next == '\n' || next == '\r') break;
                line.write(next);
            }
            String text = line.toString(StandardCharsets.UTF_8);
            boolean hasMark = isFirst && text.startsWith("\uFEFF");
            isFirst = false;
            return hasMark ? text.substring(1) : text;
        }

        /** Closes a stream on which nothing arrives for too long. This ends the blocked read. */
        private void watch() {
            if (stall != null) stall.cancel(false);
            stall = TIMER.schedule(() -> { stream.close(); return null; }, silence.toMillis(), TimeUnit.MILLISECONDS);
        }

        @Override
        public void close() throws IOException {
            stall.cancel(false);
            stream.close();
        }
    }

    /** Returns the string fields of a JSON object by name. Nested objects and arrays are skipped. */
    static Map<String, String> readFields(String json) {
        Map<String, String> fields = new HashMap<>();
        int depth = 0;
        String name = null;
        String last = null;
        for (int i = 0; i < json.length(); i++) {
            char next = json.charAt(i);
            if (next == '{' || next == '[') depth++;
            if (next == '}' || next == ']') depth--;
            if (next == ':' && depth == 1) name = last;
            if (next == ',') name = null;
            if (next != '"') continue;
            StringBuilder text = new StringBuilder();
            for (i++; json.charAt(i) != '"'; i++) {
                if (json.charAt(i) != '\\') {
                    text.append(json.charAt(i));
                } else if (json.charAt(++i) == 'u') {
                    text.append((char) Integer.parseInt(json.substring(i + 1, i + 5), 16));
                    i += 4;
                } else {
                    int plain = "bfnrt".indexOf(json.charAt(i));
                    text.append(plain < 0 ? json.charAt(i) : "\b\f\n\r\t".charAt(plain));
                }
            }
            last = text.toString();
            if (depth == 1 && name != null) fields.put(name, last);
        }
        return fields;
    }

    public static void main(String[] arguments) throws Exception {
        String url = System.getenv("VENDOR_CLOUD_URL");
        String token = System.getenv("VENDOR_CLOUD_TOKEN");
        if (url == null || token == null) {
            System.err.println("Set VENDOR_CLOUD_URL and VENDOR_CLOUD_TOKEN");
            System.exit(2);
        }
        // Stands in for the vendor's token service.
        TokenSource tokens = () -> {
            String wish = "{\"user\":\"alice-home\",\"scopes\":[\"r:locations:*\"],"
                    + "\"locations\":[\"11111111-0000-4000-8000-000000000001\"],\"expiresIn\":3600}";
            HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/_control/tokens"))
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofString(wish))
                    .build();
            return readFields(HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body()).get("accessToken");
        };
        String heartbeat = System.getenv().getOrDefault("HEARTBEAT_SECONDS", "20");
        new StreamConsumer(url, token, tokens,
                (event, data) -> System.out.println(event + " " + data.replace("\n", "")),
                subscription -> System.out.println("events were lost " + subscription),
                Duration.ofMillis((long) (Double.parseDouble(heartbeat) * 1000))).run();
    }
}
