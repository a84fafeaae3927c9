#!/bin/sh
# A loop around curl -N that reads the stream line by line and sends the last event ID when it reconnects.
reply=$(curl -s "$VENDOR_CLOUD_URL/subscriptions" -H "Authorization: Bearer $VENDOR_CLOUD_TOKEN" \
  -H 'Content-Type: application/json' -d '{"subscriptionFilters":[{"type":"LOCATIONIDS","value":["ALL"]}]}')
address=$(printf '%s' "$reply" | sed 's/.*"registrationUrl":"\([^"]*\)".*/\1/')
last=$(mktemp)
trap 'kill $!; rm "$last"; exit' TERM
while true; do
  curl -sN -H 'Accept: text/event-stream' -H "Last-Event-ID: $(cat "$last")" "$address" |
    while read -r field value; do
      case $field in
      data:) echo "$value" ;;
      id:) echo "$value" >"$last" ;;
      esac
    done &
  wait
  sleep 1
done
