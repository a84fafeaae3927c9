<?php

declare(strict_types=1);

/*
 * Reads the status of a subscription (document 3, SOAP 1.1). Copy these classes, which need only PHP 8 and its DOM
 * extension.
 *
 *     $caller = new BillingCaller('https://vendor.example', $secret);
 *     echo $caller->getStatus('purchase-1')['subscriptionStatus'];
 *
 * The caller keeps its service token while it is valid. When the token has expired, it creates another one and repeats
 * the request. Run as a program, this file monitors the purchase VENDOR_CLOUD_PURCHASE_ID on the server VENDOR_CLOUD_URL.
 */

/** An error response. The code is the service's errorCode, or 0 for any other error. */
final class BillingError extends RuntimeException
{
}

/** The service did not respond. Try again after $retryAfter seconds at the earliest. */
final class Unavailable extends RuntimeException
{
    public function __construct(string $words, public readonly float $retryAfter = 0)
    {
        parent::__construct($words);
    }
}

final class BillingCaller
{
    private const SOAP = 'http://schemas.xmlsoap.org/soap/envelope/';
    private const SERVICE = 'http://ws.iap.vendor.com/';

    public const INVALID_TOKEN = 300;
    public const EXPIRED_TOKEN = 301;
    public const UNKNOWN_ERROR = -1;

    private ?string $token = null;

    /** @param string $secret a string, because leading zeros matter */
    public function __construct(
        private readonly string $url,
        private readonly string $secret,
        private readonly float $timeout = 10.0,
    ) {
    }

    /** @return array<string, string> the fields of `output`. The service may add or remove fields */
    public function getStatus(string $purchaseId): array
    {
        $this->token ??= $this->createToken();
        try {
            return $this->ask($purchaseId);
        } catch (BillingError $error) {
            if (!in_array($error->getCode(), [self::INVALID_TOKEN, self::EXPIRED_TOKEN], true)) {
                throw $error;
            }
        }
        $this->token = null;
        $this->token = $this->createToken();
        return $this->ask($purchaseId);
    }

    private function createToken(): string
    {
        return $this->call('createServiceToken', ['secret' => $this->secret])->textContent;
    }

    private function ask(string $purchaseId): array
    {
        $output = $this->call('getSubscriptionStatus', ['purchaseID' => $purchaseId, 'serviceToken' => $this->token]);
        $fields = [];
        foreach ($output->childNodes as $field) {
            if ($field instanceof DOMElement) {
                $fields[$field->localName] = $field->textContent;
            }
        }
        return $fields;
    }

    /** Sends a request and returns the `output` element of the response. */
    private function call(string $operation, array $inputs): DOMElement
    {
        [$status, $lines, $text] = $this->post($this->write($operation, $inputs));
        // A SOAP fault has status 500 and a body.
        $body = in_array($status, [200, 500], true) ? self::find(self::read($text), 'Body') : null;
        if ($fault = self::find($body, 'Fault')) {
            $code = self::find($fault, 'detail', 'WebServiceException', 'errorCode');
            throw new BillingError(self::find($fault, 'faultstring')?->textContent ?? '', (int) $code?->textContent);
        }
        if ($status >= 400 && $status < 500 && !in_array($status, [408, 429], true)) {
            throw new BillingError("$status $text");
        }
        $after = preg_grep('/^retry-after:\s*\d{1,5}\s*$/i', $lines);
        return self::find($body, "{$operation}Response", 'output')
            ?? throw new Unavailable($lines[0], (float) trim(substr(end($after) ?: 'retry-after:0', 12)));
    }

    /** @return array{int, string[], string} status, header lines and body */
    private function post(string $envelope): array
    {
        $options = [
            'method' => 'POST',
            'header' => ['Content-Type: text/xml; charset=utf-8', 'SOAPAction: ""'],
            'content' => $envelope,
            'protocol_version' => 1.1,
            'ignore_errors' => true,
            'timeout' => $this->timeout,
        ];
        $address = rtrim($this->url, '/') . '/iap/ws/RTCService';
        $stream = @fopen($address, 'r', false, stream_context_create(['http' => $options]));
        if ($stream === false) {
            throw new Unavailable(error_get_last()['message'] ?? 'no connection');
        }
        $lines = stream_get_meta_data($stream)['wrapper_data'];
        $text = stream_get_contents($stream);
        fclose($stream);
        return [(int) (explode(' ', $lines[0])[1] ?? 0), $lines, $text];
    }

    private function write(string $operation, array $inputs): string
    {
        $document = new DOMDocument('1.0', 'UTF-8');
        $envelope = $document->appendChild($document->createElementNS(self::SOAP, 's:Envelope'));
        $body = $envelope->appendChild($document->createElementNS(self::SOAP, 's:Body'));
        $call = $body->appendChild($document->createElementNS(self::SERVICE, "n:$operation"));
        foreach ($inputs as $name => $value) {
            $call->appendChild($document->createElement($name))->append($value);
        }
        return $document->saveXML();
    }

    private static function read(string $text): ?DOMElement
    {
        $document = new DOMDocument();
        return $text !== '' && @$document->loadXML($text, LIBXML_NONET) ? $document->documentElement : null;
    }

    /** Returns the descendant at a path of local names. The server can choose any prefixes. */
    private static function find(?DOMElement $element, string ...$names): ?DOMElement
    {
        foreach ($names as $name) {
            $found = null;
            foreach ($element?->childNodes ?? [] as $child) {
                $found ??= $child->localName === $name ? $child : null;
            }
            $element = $found;
        }
        return $element;
    }
}

/** Requests the status repeatedly until a cancelled purchase has ended. After failures, it waits longer. */
function watch(BillingCaller $caller, string $purchaseId, Closure $now, float $interval = 0.25): void
{
    $failures = 0;
    while (true) {
        $least = $interval;
        try {
            $status = $caller->getStatus($purchaseId);
            $failures = 0;
            echo "{$status['subscriptionStatus']} until {$status['subscriptionEndDate']}\n";
            $end = new DateTimeImmutable($status['subscriptionEndDate'], new DateTimeZone('GMT'));
            if ($status['subscriptionStatus'] === 'CANCEL' && $end < $now()) {
                return;
            }
        } catch (Unavailable $error) {
            $failures++;
            $least = max($interval, $error->retryAfter);
        } catch (BillingError $error) {
            if ($error->getCode() !== BillingCaller::UNKNOWN_ERROR) {
                throw $error;
            }
            $failures++;
        }
        $doubled = min($interval * 2 ** min($failures, 10), 60) * random_int(100, 120) / 100;
        usleep((int) (1e6 * max($least, $doubled)));
    }
}

if (realpath($_SERVER['SCRIPT_FILENAME']) === __FILE__) {
    $url = getenv('VENDOR_CLOUD_URL');
    if (!$url) {
        fwrite(STDERR, "Set VENDOR_CLOUD_URL, for example to http://localhost:8080\n");
        exit(2);
    }
    // Use the world's clock instead of the computer's clock.
    $now = fn () => new DateTimeImmutable(json_decode(file_get_contents("$url/_control/clock"), true)['now']);
    $caller = new BillingCaller($url, getenv('VENDOR_CLOUD_SELLER_SECRET') ?: '123456789012');
    try {
        watch($caller, getenv('VENDOR_CLOUD_PURCHASE_ID') ?: 'purchase-active', $now);
    } catch (BillingError $error) {
        fwrite(STDERR, "refused: {$error->getCode()} {$error->getMessage()}\n");
    }
}
