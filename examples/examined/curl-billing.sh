#!/bin/sh
# A loop around curl, with handwritten SOAP envelopes. sed extracts values from the responses.
call() {
  curl -s "$VENDOR_CLOUD_URL/iap/ws/RTCService" -H 'Content-Type: text/xml; charset=utf-8' -H 'SOAPAction: ""' -d \
    "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body>
    <n:$1 xmlns:n=\"http://ws.iap.vendor.com/\">$2</n:$1></s:Body></s:Envelope>"
}
of() { sed -n "s:.*<$1>\([^<]*\)</$1>.*:\1:p"; }
token=
while true; do
  [ -n "$token" ] || token=$(call createServiceToken "<secret>$VENDOR_CLOUD_SELLER_SECRET</secret>" | of output)
  [ -n "$token" ] || break
  reply=$(call getSubscriptionStatus \
    "<purchaseID>$VENDOR_CLOUD_PURCHASE_ID</purchaseID><serviceToken>$token</serviceToken>")
  printf '%s\n' "$reply" | of subscriptionStatus
  case $(printf '%s' "$reply" | of errorCode) in 301) token= ;; esac
  sleep 0.1
done
