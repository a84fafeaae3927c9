// Asks for the status of a subscription (document 3, SOAP 1.1): a type to copy, with nothing but the standard library.
//
//	caller := &BillingCaller{URL: "https://vendor.example", Secret: secret}
//	status, err := caller.Status(ctx, "purchase-1")
//	fmt.Println(status["subscriptionStatus"])
//
// It keeps its service token for as long as that is good, gets another one when it has expired, and submits the request
// again. Run as a program it watches VENDOR_CLOUD_PURCHASE_ID on the server that VENDOR_CLOUD_URL names.
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

// BillingError is an error of the service; without a Code, a fault that is not the service's.
type BillingError struct {
	Code    int
	Message string
}

func (e *BillingError) Error() string { return fmt.Sprintf("%d %s", e.Code, e.Message) }

// Unavailable is no answer, or none of the service: try again later, not before RetryAfter.
type Unavailable struct {
	Reason     string
	RetryAfter time.Duration
}

func (e *Unavailable) Error() string { return e.Reason }

// BillingCaller may be used by many at once.
type BillingCaller struct {
	URL string
	// Secret is text, with its leading zeros.
	Secret string

	mutex sync.Mutex
	token string
}

var client = &http.Client{Timeout: 10 * time.Second}

// Status gives the fields of `output` by their names. They may come and go without notice.
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

// tokenBut gives a token that is not the one which was found bad; of many that ask at once, one gets a new one.
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

// element is one of a message that was read; prefixes are the server's to choose.
type element struct {
	XMLName  xml.Name
	Text     string    `xml:",chardata"`
	Children []element `xml:",any"`
}

// find gives the descendant at a path of local names, or nil.
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

// call gives the `output` element of the reply.
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
	// A fault comes with status 500, and with a body to read.
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

// watch asks a few times a second, and less and less when nothing answers; until a cancelled purchase has ended.
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
	url := os.Getenv("VENDOR_CLOUD_URL")
	// The world's clock, in the place of the computer's.
	now := func() time.Time {
		var clock struct{ Now time.Time }
		if response, err := client.Get(url + "/_control/clock"); err == nil {
			defer response.Body.Close()
			_ = json.NewDecoder(response.Body).Decode(&clock)
		}
		return clock.Now
	}
	caller := &BillingCaller{URL: url, Secret: os.Getenv("VENDOR_CLOUD_SELLER_SECRET")}
	if err := watch(ctx, caller, os.Getenv("VENDOR_CLOUD_PURCHASE_ID"), now); err != nil {
		fmt.Fprintln(os.Stderr, "refused:", err)
	}
}
