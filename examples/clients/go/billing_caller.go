// Reads the status of a subscription (document 3, SOAP 1.1). Copy the type BillingCaller, which needs only the standard
// library.
//
//	caller := &BillingCaller{URL: "https://vendor.example", Secret: secret}
//	status, err := caller.Status(ctx, "purchase-1")
//	fmt.Println(status["subscriptionStatus"])
//
// BillingCaller keeps its service token while it is valid. When the token has expired, it creates another one and repeats
// the request. Run as a program, this file monitors the purchase VENDOR_CLOUD_PURCHASE_ID on the server VENDOR_CLOUD_URL.
package main

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

const (
	invalidToken = 300
	expiredToken = 301
	unknownError = -1

	longestPause = time.Minute
)

// BillingError is an error response. Code is the service's errorCode, or 0 for any other error.
type BillingError struct {
	Code    int
	Message string
}

func (e *BillingError) Error() string { return fmt.Sprintf("%d %s", e.Code, e.Message) }

// Unavailable means that the service did not respond. Try again after RetryAfter at the earliest.
type Unavailable struct {
	Reason     string
	RetryAfter time.Duration
}

func (e *Unavailable) Error() string { return e.Reason }

// BillingCaller is safe for concurrent use.
type BillingCaller struct {
	URL string
	// Secret is a string, because leading zeros matter.
	Secret string

	mutex sync.Mutex
	token string
}

var client = &http.Client{Timeout: 10 * time.Second}

// Status returns the fields of `output` by name. The service may add or remove fields without notice.
func (c *BillingCaller) Status(ctx context.Context, purchaseID string) (map[string]string, error) {
	token, err := c.tokenBut(ctx, "")
	if err != nil {
		return nil, err
	}
	status, err := c.ask(ctx, purchaseID, token)
	var refusal *BillingError
	if !errors.As(err, &refusal) || (refusal.Code != invalidToken && refusal.Code != expiredToken) {
		return status, err
	}
	if token, err = c.tokenBut(ctx, token); err != nil {
		return nil, err
	}
	return c.ask(ctx, purchaseID, token)
}

// tokenBut returns a token other than the rejected one. Concurrent callers share one new token.
func (c *BillingCaller) tokenBut(ctx context.Context, bad string) (string, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.token == bad {
		c.token = ""
		output, err := c.call(ctx, "createServiceToken", field{"secret", c.Secret})
		if err != nil {
			return "", err
		}
		c.token = output.Text
	}
	return c.token, nil
}

func (c *BillingCaller) ask(ctx context.Context, purchaseID, token string) (map[string]string, error) {
	inputs := []field{{"purchaseID", purchaseID}, {"serviceToken", token}}
	output, err := c.call(ctx, "getSubscriptionStatus", inputs...)
	if err != nil {
		return nil, err
	}
	fields := map[string]string{}
	for _, each := range output.Children {
		fields[each.XMLName.Local] = each.Text
	}
	return fields, nil
}

type field struct{ name, value string }

// element is an XML element of a response. Prefixes are ignored, because the server can choose any.
type element struct {
	XMLName  xml.Name
	Text     string    `xml:",chardata"`
	Children []element `xml:",any"`
}

// find returns the descendant at a path of local names, or nil.
func (e *element) find(names ...string) *element {
	if e == nil || len(names) == 0 {
		return e
	}
	for i := range e.Children {
		if e.Children[i].XMLName.Local == names[0] {
			return e.Children[i].find(names[1:]...)
		}
	}
	return nil
}

// call sends a request and returns the `output` element of the response.
func (c *BillingCaller) call(ctx context.Context, operation string, inputs ...field) (*element, error) {
	address := strings.TrimRight(c.URL, "/") + "/iap/ws/RTCService"
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(write(operation, inputs)))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "text/xml; charset=utf-8")
	request.Header.Set("SOAPAction", `""`)
	response, err := client.Do(request)
	if err != nil {
		return nil, &Unavailable{Reason: err.Error()}
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, &Unavailable{Reason: err.Error()}
	}
	return read(response, text, operation)
}

func write(operation string, inputs []field) string {
	var text strings.Builder
	text.WriteString(`<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>`)
	fmt.Fprintf(&text, `<n:%s xmlns:n="http://ws.iap.vendor.com/">`, operation)
	for _, each := range inputs {
		fmt.Fprintf(&text, "<%s>", each.name)
		xml.EscapeText(&text, []byte(each.value))
		fmt.Fprintf(&text, "</%s>", each.name)
	}
	fmt.Fprintf(&text, "</n:%s></s:Body></s:Envelope>", operation)
	return text.String()
}

func read(response *http.Response, text []byte, operation string) (*element, error) {
	var envelope element
	// A SOAP fault has status 500 and a body.
	if response.StatusCode == 200 || response.StatusCode == 500 {
		if err := xml.Unmarshal(text, &envelope); err != nil {
			return nil, &Unavailable{Reason: err.Error()}
		}
	}
	body := envelope.find("Body")
	if fault := body.find("Fault"); fault != nil {
		refusal := &BillingError{}
		if message := fault.find("faultstring"); message != nil {
			refusal.Message = message.Text
		}
		if code := fault.find("detail", "WebServiceException", "errorCode"); code != nil {
			refusal.Code, _ = strconv.Atoi(code.Text)
		}
		return nil, refusal
	}
	if output := body.find(operation+"Response", "output"); output != nil {
		return output, nil
	}
	if status := response.StatusCode; status >= 400 && status < 500 && status != 408 && status != 429 {
		return nil, &BillingError{Message: response.Status}
	}
	seconds, _ := strconv.ParseUint(response.Header.Get("Retry-After"), 10, 16)
	return nil, &Unavailable{response.Status, time.Duration(seconds) * time.Second}
}

// watch requests the status four times a second until a cancelled purchase has ended. After failures, it waits longer.
func watch(ctx context.Context, caller *BillingCaller, purchaseID string, now func() time.Time) error {
	const interval = 250 * time.Millisecond
	for pause := interval; ctx.Err() == nil; {
		status, err := caller.Status(ctx, purchaseID)
		var refusal *BillingError
		var away *Unavailable
		least := interval
		switch {
		case err == nil:
			pause = interval
			fmt.Println(status["subscriptionStatus"], "until", status["subscriptionEndDate"])
			end, err := time.Parse("2006-01-02 15:04:05", status["subscriptionEndDate"])
			if err == nil && status["subscriptionStatus"] == "CANCEL" && end.Before(now()) {
				return nil
			}
		case errors.As(err, &refusal) && refusal.Code != unknownError:
			return err
		case errors.As(err, &away):
			least = away.RetryAfter
			fallthrough
		default:
			if pause *= 2; pause > longestPause {
				pause = longestPause
			}
		}
		if least < pause {
			least = pause + time.Duration(rand.Int63n(int64(pause)/5))
		}
		select {
		case <-ctx.Done():
		case <-time.After(least):
		}
	}
	return nil
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	url, secret, purchaseID := os.Getenv("VENDOR_CLOUD_URL"), os.Getenv("VENDOR_CLOUD_SELLER_SECRET"), os.Getenv("VENDOR_CLOUD_PURCHASE_ID")
	if url == "" || secret == "" || purchaseID == "" {
		fmt.Fprintln(os.Stderr, "Set VENDOR_CLOUD_URL, VENDOR_CLOUD_SELLER_SECRET and VENDOR_CLOUD_PURCHASE_ID")
		os.Exit(2)
	}
	// Use the world's clock instead of the computer's clock.
	now := func() time.Time {
		var clock struct{ Now time.Time }
		if response, err := client.Get(url + "/_control/clock"); err == nil {
			defer response.Body.Close()
			_ = json.NewDecoder(response.Body).Decode(&clock)
		}
		return clock.Now
	}
	caller := &BillingCaller{URL: url, Secret: secret}
	if err := watch(ctx, caller, purchaseID, now); err != nil {
		fmt.Fprintln(os.Stderr, "refused:", err)
	}
}
