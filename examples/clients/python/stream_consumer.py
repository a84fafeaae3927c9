"""Follows the events of a user's locations. Copy the class, which needs only the standard library.

    for event, data in StreamConsumer("https://vendor.example", token, renew_token):
        print(event, data)

After a disconnect, the consumer waits for the time that the server requests and resumes after the last event. It detects
dead connections by missing heartbeats. When its token expires, it puts a new token on the subscription and resumes. When
the subscription was deleted, it creates another one. Run as a program, this file follows the server VENDOR_CLOUD_URL.
"""

import json
import os
import random
import re
import sys
import time
import urllib.error
import urllib.request
from http.client import HTTPException

LONGEST_PAUSE = 60.0


class Refused(Exception):
    """The server rejected a request that would fail again if repeated."""


class StreamConsumer:
    """Iterate over the consumer to get each event once, as its name and its parsed JSON. ("gap", subscription) means that
    events were lost. Then read the current state again. The iteration ends when a newer connection takes over the stream.
    """

    def __init__(self, url, token, renew_token, heartbeat=20.0):
        """renew_token() returns another access token after the current one has expired.
        heartbeat: seconds between two heartbeats of the server."""
        self._url = url.rstrip("/")
        self._token = token
        self._renew_token = renew_token
        self._silence = 3 * heartbeat
        self._last_id = ""
        self._retry = 1.0
        self._failures = 0
        self._is_replaced = False

    def __iter__(self):
        subscription, is_expired = None, False
        while True:
            pause = 0.0
            try:
                if not subscription or is_expired:
                    subscription = self._subscribe(subscription)
                is_expired = False
                outcome = yield from self._follow(subscription)
                if outcome == "over":
                    return
                if outcome == "gone":
                    subscription, self._is_replaced = None, True
            except urllib.error.HTTPError as error:
                with error:
                    if error.code == 404 and subscription:
                        subscription, self._is_replaced, is_expired = None, True, False
                    elif error.code == 401 and subscription and not is_expired:
                        is_expired = True
                    elif error.code < 500 and error.code not in (408, 409, 429):
                        raise Refused(f"{error.code} {error.read(500)!r}") from error
                    pause = read_retry_after(error)
                self._failures += 1
            except (OSError, HTTPException):
                self._failures += 1
            time.sleep(max(pause, self._next_pause()))

    def _next_pause(self):
        """Returns the delay that the server requested. Consecutive failures double it, with random jitter."""
        if self._failures < 2:
            return self._retry
        doubled = self._retry * 2 ** min(self._failures - 1, 10)
        return max(self._retry, min(doubled, LONGEST_PAUSE)) * random.uniform(1, 1.2)

    def _subscribe(self, subscription):
        """Creates a subscription, or replaces an existing one, which then has the current token and can resume."""
        filters = [{"type": "LOCATIONIDS", "value": ["ALL"]}]
        body = json.dumps({"name": "all", "version": 1, "subscriptionFilters": filters}).encode()
        if subscription:
            method, path = "PUT", "/subscriptions/" + subscription["subscriptionId"]
        else:
            method, path, self._last_id = "POST", "/subscriptions", ""
        try:
            return self._call(method, path, body)
        except urllib.error.HTTPError as error:
            if error.code != 401:
                raise
            error.close()
        self._token = self._renew_token()
        return self._call(method, path, body)

    def _call(self, method, path, body=None):
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        with self._open(method, self._url + path, headers, body) as response:
            return json.load(response)

    def _open(self, method, url, headers, body=None):
        # The timeout applies to each read. It ends a stream on which nothing arrives, but not one that lasts long.
        request = urllib.request.Request(url, body, headers, method=method)
        return urllib.request.urlopen(request, timeout=self._silence)

    def _follow(self, subscription):
        """Yields events until the stream ends. Returns "over" (stop), "gone" (subscribe again) or "cut" (reconnect)."""
        headers = {"Accept": "text/event-stream", "Cache-Control": "no-store"}
        if self._last_id:
            headers["Last-Event-ID"] = self._last_id
        # The URL itself grants access, so it is used unchanged and without the token.
        with self._open("GET", subscription["registrationUrl"], headers) as response:
            if response.status == 204:
                return "over"
            if self._is_replaced:
                self._is_replaced = False
                yield "gap", subscription
            for event, data, event_id in self._read_events(read_lines(response)):
                self._failures = 0
                if event != "CONTROL_EVENT":
                    if event_id != self._last_id:
                        yield event, json.loads(data)
                elif data == "goodbye":
                    return "gone"
                elif data == "gap":
                    yield "gap", self._call("GET", "/subscriptions/" + subscription["subscriptionId"])
                self._last_id = event_id
        return "cut"

    def _read_events(self, lines):
        """Yields name, data and ID of each event (HTML Standard, section 9.2.6). An incomplete event is discarded."""
        event, data, event_id = "", [], self._last_id
        for line in lines:
            field, _, value = line.partition(":")
            value = value[1:] if value.startswith(" ") else value
            if line == "":
                if data:
                    yield event or "message", "\n".join(data), event_id
                event, data = "", []
            elif field == "event":
                event = value
            elif field == "data":
                data.append(value)
            elif field == "id" and "\0" not in value:
                event_id = value
            elif field == "retry" and re.fullmatch("[0-9]+", value):
                self._retry = int(value) / 1000


def read_lines(response):
    """Yields lines that end with CR, LF or CRLF. Chunks may be split anywhere, even within a character."""
    rest, is_first, ended_in_cr = b"", True, False
    while piece := response.read1(65536):
        start = 1 if ended_in_cr and piece.startswith(b"\n") else 0
        ended_in_cr = piece.endswith(b"\r")
        *lines, rest = re.split(b"\r\n|\r|\n", rest + piece[start:])
        for line in lines:
            text = line.decode("utf-8", "replace")
            yield text.removeprefix("\ufeff") if is_first else text
            is_first = False


def read_retry_after(error):
    value = error.headers.get("Retry-After", "")
    return float(value) if re.fullmatch("[0-9]{1,5}", value) else 0.0


def main():
    url = os.environ.get("VENDOR_CLOUD_URL")
    if not url:
        print("Set VENDOR_CLOUD_URL, for example to http://localhost:8080", file=sys.stderr)
        sys.exit(2)

    def renew_token():
        """Stands in for the vendor's token service."""
        wish = {
            "user": "alice-home",
            "scopes": ["r:locations:*"],
            "locations": ["11111111-0000-4000-8000-000000000001"],
            "expiresIn": 3600,
        }
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(url + "/_control/tokens", json.dumps(wish).encode(), headers)
        with urllib.request.urlopen(request) as response:
            return json.load(response)["accessToken"]

    token = os.environ.get("VENDOR_CLOUD_TOKEN", "token-home")
    heartbeat = float(os.environ.get("HEARTBEAT_SECONDS", "20"))
    for event, data in StreamConsumer(url, token, renew_token, heartbeat):
        print(event, json.dumps(data.get("deviceEvent", data), ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main()
