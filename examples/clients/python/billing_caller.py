"""Reads the status of a subscription (document 3, SOAP 1.1). Copy the class, which needs only the standard library.

    caller = BillingCaller("https://vendor.example", secret)
    print(caller.get_status("purchase-1")["subscriptionStatus"])

The class keeps its service token while it is valid. When the token has expired, it creates another one and repeats the
request. Run as a program, this file monitors the purchase VENDOR_CLOUD_PURCHASE_ID on the server VENDOR_CLOUD_URL.
"""

import json
import os
import random
import re
import sys
import time
import urllib.error
import urllib.request
import xml.etree.ElementTree as ElementTree
from datetime import datetime, timezone
from http.client import HTTPException
from xml.sax.saxutils import escape

SOAP = "http://schemas.xmlsoap.org/soap/envelope/"
SERVICE = "http://ws.iap.vendor.com/"
INVALID_TOKEN, EXPIRED_TOKEN, UNKNOWN_ERROR = 300, 301, -1
LONGEST_PAUSE = 60.0


class BillingError(Exception):
    """An error response. The code is the service's errorCode, or None for any other error."""

    def __init__(self, message, code=None):
        super().__init__(message)
        self.code = code


class Unavailable(Exception):
    """The service did not respond. Try again after `retry_after` seconds at the earliest."""

    def __init__(self, message, retry_after=0.0):
        super().__init__(message)
        self.retry_after = retry_after


class BillingCaller:
    def __init__(self, url, secret, timeout=10.0):
        """secret: a string, because leading zeros matter."""
        self._address = url.rstrip("/") + "/iap/ws/RTCService"
        self._secret = secret
        self._timeout = timeout
        self._token = None

    def get_status(self, purchase_id):
        """Returns the fields of `output` by name, as strings. The service may add or remove fields without notice."""
        if self._token is None:
            self._token = self._create_token()
        try:
            return self._ask(purchase_id)
        except BillingError as error:
            if error.code not in (INVALID_TOKEN, EXPIRED_TOKEN):
                raise
        self._token = None
        self._token = self._create_token()
        return self._ask(purchase_id)

    def _create_token(self):
        return self._call("createServiceToken", secret=self._secret).text

    def _ask(self, purchase_id):
        output = self._call("getSubscriptionStatus", purchaseID=purchase_id, serviceToken=self._token)
        return {local_name(field): field.text or "" for field in output}

    def _call(self, operation, **inputs):
        """Sends a request and returns the `output` element of the response."""
        children = "".join(f"<{name}>{escape(value)}</{name}>" for name, value in inputs.items())
        envelope = (
            f'<s:Envelope xmlns:s="{SOAP}"><s:Body>'
            f'<n:{operation} xmlns:n="{SERVICE}">{children}</n:{operation}></s:Body></s:Envelope>'
        )
        headers = {"Content-Type": "text/xml; charset=utf-8", "SOAPAction": '""'}
        request = urllib.request.Request(self._address, envelope.encode(), headers)
        try:
            with urllib.request.urlopen(request, timeout=self._timeout) as response:
                output = find(read_body(response), operation + "Response", "output")
        except urllib.error.HTTPError as error:
            with error:
                raise to_error(error) from None
        except (OSError, HTTPException) as error:
            raise Unavailable(str(error)) from error
        if output is None:
            raise Unavailable("a reply without output")
        return output


def to_error(error):
    """Converts an error response. A SOAP fault has status 500 and a body."""
    if error.code == 500:
        fault = find(read_body(error), "Fault")
        code = find(fault, "detail", "WebServiceException", "errorCode")
        text = find(fault, "faultstring")
        return BillingError("" if text is None else text.text, None if code is None else int(code.text))
    if error.code < 500 and error.code not in (408, 429):
        return BillingError(f"{error.code} {error.read(500)!r}")
    after = error.headers.get("Retry-After", "")
    return Unavailable(f"{error.code} {error.reason}", float(after) if re.fullmatch("[0-9]{1,5}", after) else 0.0)


def read_body(response):
    try:
        return find(ElementTree.fromstring(response.read()), "Body")
    except ElementTree.ParseError as error:
        raise Unavailable(f"no XML: {error}") from error


def local_name(element):
    return element.tag.rpartition("}")[2]


def find(element, *names):
    """Returns the descendant at a path of local names. The server can choose any prefixes."""
    for name in names:
        children = () if element is None else element
        element = next((child for child in children if local_name(child) == name), None)
    return element


def read_date(text):
    """Parses a date of the service, which has the format `YYYY-MM-DD HH:mm:ss` and is in GMT."""
    return datetime.strptime(text, "%Y-%m-%d %H:%M:%S").replace(tzinfo=timezone.utc)


def read_time(url):
    """Reads the world's clock, which replaces the computer's clock."""
    with urllib.request.urlopen(url + "/_control/clock") as response:
        return datetime.fromisoformat(json.load(response)["now"].replace("Z", "+00:00"))


def watch(url, caller, purchase_id, interval=0.25):
    """Requests the status repeatedly until a cancelled purchase has ended. After failures, it waits longer."""
    failures = 0
    while True:
        least = interval
        try:
            status = caller.get_status(purchase_id)
            failures = 0
            print(status["subscriptionStatus"], "until", status["subscriptionEndDate"], flush=True)
            if status["subscriptionStatus"] == "CANCEL" and read_date(status["subscriptionEndDate"]) < read_time(url):
                return
        except Unavailable as error:
            failures += 1
            least = max(interval, error.retry_after)
        except BillingError as error:
            if error.code != UNKNOWN_ERROR:
                raise
            failures += 1
        time.sleep(max(least, min(interval * 2**min(failures, 10), LONGEST_PAUSE) * random.uniform(1, 1.2)))


def main():
    url = os.environ.get("VENDOR_CLOUD_URL")
    if not url:
        print("Set VENDOR_CLOUD_URL, for example to http://localhost:8080", file=sys.stderr)
        sys.exit(2)
    caller = BillingCaller(url, os.environ.get("VENDOR_CLOUD_SELLER_SECRET", "123456789012"))
    try:
        watch(url, caller, os.environ.get("VENDOR_CLOUD_PURCHASE_ID", "purchase-active"))
    except BillingError as error:
        print(f"refused: {error.code} {error}", file=sys.stderr)


if __name__ == "__main__":
    main()
