<?php

declare(strict_types=1);

/*
 * Follows the events of a user's locations. Copy these classes, which need only PHP 8.
 *
 *     foreach (new StreamConsumer('https://vendor.example', $token, $renewToken) as $event => $data) { ... }
 *
 * After a disconnect, the consumer waits for the time that the server requests and resumes after the last event. It
 * detects dead connections by missing heartbeats. When its token expires, it puts a new token on the subscription and
 * resumes. When the subscription was deleted, it creates another one. Run as a program, this file follows the server
 * VENDOR_CLOUD_URL.
 */

/** The server rejected a request that would fail again if repeated. */
final class Refused extends RuntimeException
{
}

/**
 * Iterate over the consumer to get each event once, as its name and its decoded JSON. 'gap' => subscription means that
 * events were lost. Then read the current state again. The iteration ends when a newer connection takes over the stream.
 */
final class StreamConsumer implements IteratorAggregate
{
    private const LONGEST_PAUSE = 60.0;

    private string $lastId = '';
    private float $retry = 1.0;
    private int $failures = 0;
    private bool $isReplaced = false;

    /**
     * @param Closure(): string $renewToken returns another access token after the current one has expired
     * @param float $heartbeat seconds between two heartbeats of the server
     */
    public function __construct(
        private readonly string $url,
        private string $token,
        private readonly Closure $renewToken,
        private readonly float $heartbeat = 20.0,
    ) {
    }

    public function getIterator(): Generator
    {
        [$subscription, $isExpired] = [null, false];
        while (true) {
            $pause = 0.0;
            try {
                if ($subscription === null || $isExpired) {
                    $subscription = $this->subscribe($subscription);
                }
                $isExpired = false;
                $outcome = yield from $this->follow($subscription);
                if ($outcome === 'over') {
                    return;
                }
                if ($outcome === 'gone') {
                    [$subscription, $this->isReplaced] = [null, true];
                }
            } catch (Failure $failure) {
                if ($failure->status === 404 && $subscription !== null) {
                    [$subscription, $this->isReplaced, $isExpired] = [null, true, false];
                } elseif ($failure->status === 401 && $subscription !== null && !$isExpired) {
                    $isExpired = true;
                } elseif (!$failure->mayPass()) {
                    throw new Refused($failure->getMessage(), $failure->status, $failure);
                }
                $pause = $failure->retryAfter;
                $this->failures++;
            }
            usleep((int) (1e6 * max($pause, $this->nextPause())));
        }
    }

    /** Returns the delay that the server requested. Consecutive failures double it, with random jitter. */
    private function nextPause(): float
    {
        if ($this->failures < 2) {
            return $this->retry;
        }
        $doubled = $this->retry * 2 ** min($this->failures - 1, 10);
        return max($this->retry, min($doubled, self::LONGEST_PAUSE)) * random_int(100, 120) / 100;
    }

    /** Creates a subscription, or replaces an existing one, which then has the current token and can resume. */
    private function subscribe(?array $subscription): array
    {
        $filters = [['type' => 'LOCATIONIDS', 'value' => ['ALL']]];
        $body = json_encode(['name' => 'all', 'version' => 1, 'subscriptionFilters' => $filters]);
        $call = fn (): array => $subscription === null
            ? $this->call('POST', '/subscriptions', $body)
            : $this->call('PUT', '/subscriptions/' . $subscription['subscriptionId'], $body);
        if ($subscription === null) {
            $this->lastId = '';
        }
        try {
            return $call();
        } catch (Failure $failure) {
            if ($failure->status !== 401) {
                throw $failure;
            }
        }
        $this->token = ($this->renewToken)();
        return $call();
    }

    private function call(string $method, string $path, ?string $body = null): array
    {
        $headers = ["Authorization: Bearer $this->token", 'Content-Type: application/json'];
        [, $stream] = $this->open($method, rtrim($this->url, '/') . $path, $headers, $body);
        $reply = json_decode(stream_get_contents($stream), true);
        fclose($stream);
        return is_array($reply) ? $reply : throw new Failure('no JSON');
    }

    /** @return array{int, resource} the status and the stream of the body */
    private function open(string $method, string $url, array $headers, ?string $body = null): array
    {
        $options = [
            'method' => $method,
            'header' => $headers,
            'content' => $body ?? '',
            'protocol_version' => 1.1,
            'ignore_errors' => true,
            // The timeout applies to each read. It ends a stream on which nothing arrives, but not one that lasts long.
            'timeout' => 3 * $this->heartbeat,
        ];
        $stream = @fopen($url, 'r', false, stream_context_create(['http' => $options]));
        if ($stream === false) {
            throw new Failure(error_get_last()['message'] ?? 'no connection');
        }
        $lines = stream_get_meta_data($stream)['wrapper_data'];
        $status = (int) (explode(' ', $lines[0])[1] ?? 0);
        if ($status < 300) {
            return [$status, $stream];
        }
        $after = preg_grep('/^retry-after:\s*\d{1,5}\s*$/i', $lines);
        $words = "$status " . stream_get_contents($stream, 500);
        fclose($stream);
        throw new Failure($words, $status, (float) trim(substr(end($after) ?: 'retry-after:0', 12)));
    }

    /** Yields events until the stream ends. Returns 'over' (stop), 'gone' (subscribe again) or 'cut' (reconnect). */
    private function follow(array $subscription): Generator
    {
        $headers = ['Accept: text/event-stream', 'Cache-Control: no-store'];
        if ($this->lastId !== '') {
            $headers[] = "Last-Event-ID: $this->lastId";
        }
        // The URL itself grants access, so it is used unchanged and without the token.
        [$status, $stream] = $this->open('GET', $subscription['registrationUrl'], $headers);
        try {
            if ($status === 204) {
                return 'over';
            }
            if ($this->isReplaced) {
                $this->isReplaced = false;
                yield 'gap' => $subscription;
            }
            foreach ($this->readEvents($this->readLines($stream)) as [$event, $data, $id]) {
                $this->failures = 0;
                if ($event !== 'CONTROL_EVENT') {
                    if ($id !== $this->lastId) {
                        yield $event => json_decode($data, true, 512, JSON_THROW_ON_ERROR);
                    }
                } elseif ($data === 'goodbye') {
                    return 'gone';
                } elseif ($data === 'gap') {
                    yield 'gap' => $this->call('GET', '/subscriptions/' . $subscription['subscriptionId']);
                }
                $this->lastId = $id;
            }
        } finally {
            fclose($stream);
        }
        return 'cut';
    }

    /** Yields name, data and ID of each event (HTML Standard, section 9.2.6). An incomplete event is discarded. */
    private function readEvents(iterable $lines): Generator
    {
        [$event, $data, $id] = ['', [], $this->lastId];
        foreach ($lines as $line) {
            [$field, $value] = explode(':', $line, 2) + ['', ''];
            $value = str_starts_with($value, ' ') ? substr($value, 1) : $value;
            if ($line === '') {
                if ($data !== []) {
                    yield [$event === '' ? 'message' : $event, implode("\n", $data), $id];
                }
                [$event, $data] = ['', []];
            } elseif ($field === 'event') {
                $event = $value;
            } elseif ($field === 'data') {
                $data[] = $value;
            } elseif ($field === 'id' && !str_contains($value, "\0")) {
                $id = $value;
            } elseif ($field === 'retry' && preg_match('/^[0-9]+$/D', $value)) {
                $this->retry = (int) $value / 1000;
            }
        }
    }

    /**
     * Yields lines that end with CR, LF or CRLF. Chunks may be split anywhere, even within a character.
     *
     * @param resource $stream
     */
    private function readLines($stream): Generator
    {
        [$rest, $isFirst, $endedInCr] = ['', true, false];
        // A longer read of a chunked response would wait until the buffer is full. A read returns nothing when the
        // stream has ended, was interrupted, or was silent for too long.
        while (($piece = fread($stream, 1)) !== false && $piece !== '') {
            $buffered = stream_get_meta_data($stream)['unread_bytes'];
            $piece .= $buffered > 0 ? fread($stream, $buffered) : '';
            $text = $endedInCr && $piece[0] === "\n" ? substr($piece, 1) : $piece;
            $endedInCr = str_ends_with($piece, "\r");
            $lines = preg_split('/\r\n|\r|\n/', $rest . $text);
            $rest = array_pop($lines);
            foreach ($lines as $line) {
                yield $isFirst && str_starts_with($line, "\u{FEFF}") ? substr($line, 3) : $line;
                $isFirst = false;
            }
        }
    }
}

/** A response with an error status, or no response (status 0). */
final class Failure extends RuntimeException
{
    public function __construct(string $words, public readonly int $status = 0, public readonly float $retryAfter = 0)
    {
        parent::__construct($words);
    }

    public function mayPass(): bool
    {
        return $this->status === 0 || $this->status >= 500 || in_array($this->status, [408, 409, 429], true);
    }
}

if (realpath($_SERVER['SCRIPT_FILENAME']) === __FILE__) {
    $url = getenv('VENDOR_CLOUD_URL');
    if (!$url) {
        fwrite(STDERR, "Set VENDOR_CLOUD_URL, for example to http://localhost:8080\n");
        exit(2);
    }
    // Stands in for the vendor's token service.
    $renewToken = function () use ($url): string {
        $wish = [
            'user' => 'alice-home',
            'scopes' => ['r:locations:*'],
            'locations' => ['11111111-0000-4000-8000-000000000001'],
            'expiresIn' => 3600,
        ];
        $options = ['method' => 'POST', 'header' => 'Content-Type: application/json', 'content' => json_encode($wish)];
        $reply = file_get_contents("$url/_control/tokens", false, stream_context_create(['http' => $options]));
        return json_decode($reply, true)['accessToken'];
    };
    $token = getenv('VENDOR_CLOUD_TOKEN') ?: 'token-home';
    $heartbeat = (float) (getenv('HEARTBEAT_SECONDS') ?: 20);
    foreach (new StreamConsumer($url, $token, $renewToken, $heartbeat) as $event => $data) {
        echo $event, ' ', json_encode($data['deviceEvent'] ?? $data, JSON_UNESCAPED_UNICODE), "\n";
    }
}
