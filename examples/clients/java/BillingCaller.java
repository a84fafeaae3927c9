import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/**
 * Reads the status of a subscription (document 3, SOAP 1.1). Copy this class, which needs only the JDK (17 or newer).
 *
 * <p>The class keeps its service token while it is valid. When the token has expired, it creates another one and repeats
 * the request. Run as a program, it monitors the purchase VENDOR_CLOUD_PURCHASE_ID on the server VENDOR_CLOUD_URL.
 */
public final class BillingCaller {
    /** An error response. The code is the service's errorCode, or 0 for any other error. */
    public static final class BillingException extends Exception {
        public static final int INVALID_TOKEN = 300;
        public static final int EXPIRED_TOKEN = 301;
        public static final int UNKNOWN_ERROR = -1;
        public final int code;

        BillingException(int code, String message) {
            super(message);
            this.code = code;
        }
    }

    /** The service did not respond. Try again after retryAfterMs milliseconds at the earliest. */
    public static final class UnavailableException extends IOException {
        public final long retryAfterMs;

        UnavailableException(String message, long retryAfterMs) {
            super(message);
            this.retryAfterMs = retryAfterMs;
        }
    }

    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss");
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI address;
    private final String secret;
    private String token;

    /** @param secret a string, because leading zeros matter */
    public BillingCaller(String url, String secret) {
        this.address = URI.create(url.replaceAll("/+$", "") + "/iap/ws/RTCService");
        this.secret = secret;
    }

    /** Returns the fields of `output` by name. The service may add or remove fields. Only one caller runs at a time. */
    public synchronized Map<String, String> getStatus(String purchaseId)
            throws BillingException, IOException, InterruptedException {
        if (token == null) token = createToken();
        try {
            return ask(purchaseId);
        } catch (BillingException refusal) {
            boolean isOfToken = refusal.code == BillingException.INVALID_TOKEN
                    || refusal.code == BillingException.EXPIRED_TOKEN;
            if (!isOfToken) throw refusal;
        }
        token = null;
        token = createToken();
        return ask(purchaseId);
    }

    /** Parses a date of the service, such as `2026-05-06 16:00:00` in GMT. */
    public static Instant readDate(String text) {
        return LocalDateTime.parse(text, DATE).toInstant(ZoneOffset.UTC);
    }

    private String createToken() throws BillingException, IOException, InterruptedException {
        return call("createServiceToken", Map.of("secret", secret)).getTextContent();
    }

    private Map<String, String> ask(String purchaseId) throws BillingException, IOException, InterruptedException {
        Element output = call("getSubscriptionStatus", Map.of("purchaseID", purchaseId, "serviceToken", token));
        Map<String, String> fields = new LinkedHashMap<>();
        for (Node child = output.getFirstChild(); child != null; child = child.getNextSibling()) {
            if (child instanceof Element) fields.put(child.getLocalName(), child.getTextContent());
        }
        return fields;
    }

    /** Sends a request and returns the `output` element of the response. */
    private Element call(String operation, Map<String, String> inputs)
            throws BillingException, IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(address)
                .header("Content-Type", "text/xml; charset=utf-8")
                .header("SOAPAction", "\"\"")
                .timeout(TIMEOUT)
                .POST(HttpRequest.BodyPublishers.ofString(write(operation, inputs)))
                .build();
        HttpResponse<byte[]> response = client.send(request, BodyHandlers.ofByteArray());
        int status = response.statusCode();
        // A SOAP fault has status 500 and a body.
        Element body = status == 200 || status == 500 ? find(read(response.body()), "Body") : null;
        Element fault = find(body, "Fault");
        if (fault != null) {
            Element code = find(fault, "detail", "WebServiceException", "errorCode");
            Element message = find(fault, "faultstring");
            throw new BillingException(code == null ? 0 : Integer.parseInt(code.getTextContent()),
                    message == null ? "" : message.getTextContent());
        }
        Element output = find(body, operation + "Response", "output");
        if (output != null) return output;
        if (status >= 400 && status < 500 && !Set.of(408, 429).contains(status)) {
            throw new BillingException(0, "status " + status);
        }
        String after = response.headers().firstValue("retry-after").orElse("");
        throw new UnavailableException("status " + status,
                after.matches("[0-9]{1,5}") ? Long.parseLong(after) * 1000 : 0);
    }

    private static String write(String operation, Map<String, String> inputs) {
        StringBuilder children = new StringBuilder();
        inputs.forEach((name, value) -> children.append("<%s>%s</%s>".formatted(name, escape(value), name)));
        return """
                <s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>\
                <n:%s xmlns:n="http://ws.iap.vendor.com/">%s</n:%s></s:Body></s:Envelope>""".formatted(operation, children, operation);
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    private static Element read(byte[] text) throws IOException {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setNamespaceAware(true);
        try {
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            var builder = factory.newDocumentBuilder();
            builder.setErrorHandler(null);
            return builder.parse(new ByteArrayInputStream(text)).getDocumentElement();
        } catch (SAXException error) {
            throw new UnavailableException("no XML: " + error.getMessage(), 0);
        } catch (ParserConfigurationException error) {
            throw new IllegalStateException(error);
        }
    }

    /** Returns the descendant at a path of local names, or null. The server can choose any prefixes. */
    private static Element find(Element element, String... names) {
        for (String name : names) {
            Node child = element == null ? null : element.getFirstChild();
            while (child != null && !name.equals(child.getLocalName())) child = child.getNextSibling();
            element = (Element) child;
        }
        return element;
    }

    public static void main(String[] arguments) throws InterruptedException {
        String url = System.getenv("VENDOR_CLOUD_URL");
        String secret = System.getenv("VENDOR_CLOUD_SELLER_SECRET");
        String purchaseId = System.getenv("VENDOR_CLOUD_PURCHASE_ID");
        if (url == null || secret == null || purchaseId == null) {
            System.err.println("Set VENDOR_CLOUD_URL, VENDOR_CLOUD_SELLER_SECRET and VENDOR_CLOUD_PURCHASE_ID");
            System.exit(2);
        }
        BillingCaller caller = new BillingCaller(url, secret);
        try {
            watch(caller, purchaseId, URI.create(url + "/_control/clock"));
        } catch (BillingException refusal) {
            System.err.println("refused: " + refusal.code + " " + refusal.getMessage());
        }
    }

    /** Requests the status repeatedly until a cancelled purchase has ended. After failures, it waits longer. */
    private static void watch(BillingCaller caller, String purchaseId, URI clock)
            throws BillingException, InterruptedException {
        final long interval = 250;
        for (long pause = interval, least = 0; ; Thread.sleep(Math.max(pause, least))) {
            least = 0;
            try {
                Map<String, String> status = caller.getStatus(purchaseId);
                pause = interval;
                String end = status.get("subscriptionEndDate");
                System.out.println(status.get("subscriptionStatus") + " until " + end);
                if ("CANCEL".equals(status.get("subscriptionStatus")) && readDate(end).isBefore(readClock(clock))) return;
                continue;
            } catch (UnavailableException failure) {
                least = failure.retryAfterMs;
            } catch (BillingException refusal) {
                if (refusal.code != BillingException.UNKNOWN_ERROR) throw refusal;
            } catch (IOException failure) {
                // Without a connection, try again as if the service did not respond.
            }
            pause = (long) (Math.min(pause * 2, 60_000) * ThreadLocalRandom.current().nextDouble(1, 1.2));
        }
    }

    /** Reads the world's clock, which replaces the computer's clock. */
    private static Instant readClock(URI clock) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(clock).build();
        String reply = HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
        Matcher now = Pattern.compile("\"now\"\\s*:\\s*\"([^\"]+)\"").matcher(reply);
        return now.find() ? Instant.parse(now.group(1)) : Instant.now();
    }
}
