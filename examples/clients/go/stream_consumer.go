// Follows the events of a user's locations. Copy the type StreamConsumer, which needs only the standard library.
//
//	consumer := &StreamConsumer{URL: "https://vendor.example", Token: token, RenewToken: renew, Handle: handle}
//	err := consumer.Run(ctx)
//
// After a disconnect, StreamConsumer waits for the time that the server requests and resumes after the last event. It
// detects dead connections by missing heartbeats. When its token expires, it puts a new token on the subscription and
// resumes. When the subscription was deleted, it creates another one. Run as a program, this file follows the server
// VENDOR_CLOUD_URL.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const longestPause = time.Minute

// StreamConsumer has the settings of a consumer and its position in the stream.
type StreamConsumer struct {
	URL, Token string
	// RenewToken returns another access token after the current one has expired.
	RenewToken func(context.Context) (string, error)
	// Handle is called once for each event.
	Handle func(event string, data json.RawMessage)
	// HandleGap is called when events were lost. Read the current state again.
	HandleGap func(Subscription)
	// Heartbeat is the time between two heartbeats of the server. Default: 20 s.
	Heartbeat time.Duration

	lastID     string
	retry      time.Duration
	failures   int
	isReplaced bool
}

// Subscription contains the fields that the consumer needs from the server's response.
type Subscription struct {
	ID  string `json:"subscriptionId"`
	URL string `json:"registrationUrl"`
}

// StatusError is a response with an error status.
type StatusError struct {
	Status     int
	Body       string
	RetryAfter time.Duration
}

func (e *StatusError) Error() string { return fmt.Sprintf("%d %s", e.Status, e.Body) }

func (e *StatusError) mayPass() bool {
	return e.Status >= 500 || e.Status == 408 || e.Status == 409 || e.Status == 429
}

var (
	errTakenOver = errors.New("a newer connection has taken the stream over")
	errGone      = errors.New("the subscription is gone")
)

// Run returns nil when a newer connection has taken over the stream. It returns an error when the context ends, or when
// the server rejects a request that would fail again if repeated.
func (c *StreamConsumer) Run(ctx context.Context) error {
	if c.Heartbeat == 0 {
		c.Heartbeat = 20 * time.Second
	}
	c.retry = time.Second
	var subscription *Subscription
	isExpired := false
	for {
		var err error
		if subscription == nil || isExpired {
			var made *Subscription
			if made, err = c.subscribe(ctx, subscription); err == nil {
				subscription, isExpired = made, false
			}
		}
		if err == nil {
			err = c.follow(ctx, subscription)
		}
		var status *StatusError
		var pause time.Duration
		switch {
		case errors.Is(err, errTakenOver):
			return nil
		case errors.Is(err, errGone):
			subscription, c.isReplaced = nil, true
		case errors.As(err, &status):
			if subscription != nil && status.Status == 404 {
				subscription, c.isReplaced, isExpired = nil, true, false
			} else if subscription != nil && status.Status == 401 && !isExpired {
				isExpired = true
			} else if !status.mayPass() {
				return err
			}
			pause = status.RetryAfter
			c.failures++
		case err != nil:
			c.failures++
		}
		if least := c.nextPause(); pause < least {
			pause = least
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}

// nextPause returns the delay that the server requested. Consecutive failures double it, with random jitter.
func (c *StreamConsumer) nextPause() time.Duration {
	pause := c.retry
	for i := 1; i < c.failures && pause < longestPause; i++ {
		pause *= 2
	}
	if c.failures > 1 {
		pause += time.Duration(rand.Int63n(int64(pause)/5 + 1))
	}
	return pause
}

// subscribe creates a subscription, or replaces an existing one, which then has the current token and can resume.
func (c *StreamConsumer) subscribe(ctx context.Context, existing *Subscription) (*Subscription, error) {
	const wish = `{"name":"all","version":1,"subscriptionFilters":[{"type":"LOCATIONIDS","value":["ALL"]}]}`
	method, path := http.MethodPost, "/subscriptions"
	if existing == nil {
		c.lastID = ""
	} else {
		method, path = http.MethodPut, "/subscriptions/"+existing.ID
	}
	subscription, err := c.call(ctx, method, path, wish)
	var status *StatusError
	if !errors.As(err, &status) || status.Status != http.StatusUnauthorized {
		return subscription, err
	}
	if c.Token, err = c.RenewToken(ctx); err != nil {
		return nil, err
	}
	return c.call(ctx, method, path, wish)
}

func (c *StreamConsumer) call(ctx context.Context, method, path, body string) (*Subscription, error) {
	ctx, cancel := context.WithTimeout(ctx, 3*c.Heartbeat)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, strings.TrimRight(c.URL, "/")+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+c.Token)
	request.Header.Set("Content-Type", "application/json")
	response, err := send(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	var subscription Subscription
	return &subscription, json.NewDecoder(response.Body).Decode(&subscription)
}

// send returns an error, or a response whose body the caller must close.
func send(request *http.Request) (*http.Response, error) {
	response, err := http.DefaultClient.Do(request)
	if err != nil || response.StatusCode < 300 {
		return response, err
	}
	defer response.Body.Close()
	body, _ := io.ReadAll(io.LimitReader(response.Body, 500))
	seconds, _ := strconv.ParseUint(response.Header.Get("Retry-After"), 10, 16)
	return nil, &StatusError{response.StatusCode, string(body), time.Duration(seconds) * time.Second}
}

// follow handles events until the stream ends.
func (c *StreamConsumer) follow(ctx context.Context, subscription *Subscription) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stall := time.AfterFunc(3*c.Heartbeat, cancel)
	defer stall.Stop()
	// The URL itself grants access, so it is used unchanged and without the token.
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, subscription.URL, nil)
	if err != nil {
		return err
	}
	request.Header.Set("Accept", "text/event-stream")
	request.Header.Set("Cache-Control", "no-store")
	if c.lastID != "" {
		request.Header.Set("Last-Event-ID", c.lastID)
	}
	response, err := send(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode == http.StatusNoContent {
		return errTakenOver
	}
	if c.isReplaced && c.HandleGap != nil {
		c.HandleGap(*subscription)
	}
	c.isReplaced = false
	alive := readerFunc(func(into []byte) (int, error) {
		n, err := response.Body.Read(into)
		stall.Reset(3 * c.Heartbeat)
		return n, err
	})
	return c.readEvents(bufio.NewReader(alive), func(event, data, id string) error {
		c.failures = 0
		switch {
		case event != "CONTROL_EVENT":
			if id != c.lastID {
				c.Handle(event, json.RawMessage(data))
			}
		case data == "goodbye":
			return errGone
		case data == "gap":
			current, err := c.call(ctx, http.MethodGet, "/subscriptions/"+subscription.ID, "")
			if err != nil {
				return err
			}
			if c.HandleGap != nil {
				c.HandleGap(*current)
			}
		}
		c.lastID = id
		return nil
	})
}

type readerFunc func([]byte) (int, error)

func (read readerFunc) Read(into []byte) (int, error) { return read(into) }

// readEvents parses the stream as in the HTML Standard, section 9.2.6. It discards an incomplete event.
func (c *StreamConsumer) readEvents(reader *bufio.Reader, dispatch func(event, data, id string) error) error {
	var event, id = "", c.lastID
	var data []string
	next := readLines(reader)
	for {
		line, err := next()
		if err != nil {
			return err
		}
		field, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case line == "":
			if len(data) > 0 {
				if err := dispatch(event, strings.Join(data, "\n"), id); err != nil {
					return err
				}
			}
			event, data = "", nil
		case field == "event":
			event = value
		case field == "data":
			data = append(data, value)
		case field == "id" && !strings.Contains(value, "\x00"):
			id = value
		case field == "retry":
			if ms, err := strconv.ParseUint(value, 10, 32); err == nil {
				c.retry = time.Duration(ms) * time.Millisecond
			}
		}
	}
}

// readLines returns lines that end with CR, LF or CRLF. Chunks may be split anywhere, even within a character.
func readLines(reader *bufio.Reader) func() (string, error) {
	isFirst, isAfterCR := true, false
	return func() (string, error) {
		var line bytes.Buffer
		for {
			next, err := reader.ReadByte()
			if err != nil {
				return "", err
			}
			isRestOfEnd := next == '\n' && isAfterCR
			isAfterCR = next == '\r'
			if isRestOfEnd {
				continue
			}
			if next != '\r' && next != '\n' {
				line.WriteByte(next)
				continue
			}
			text := strings.ToValidUTF8(line.String(), "\uFFFD")
			if isFirst {
				text = strings.TrimPrefix(text, "\uFEFF")
			}
			isFirst = false
			return text, nil
		}
	}
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	url, token := os.Getenv("VENDOR_CLOUD_URL"), os.Getenv("VENDOR_CLOUD_TOKEN")
	if url == "" || token == "" {
		fmt.Fprintln(os.Stderr, "Set VENDOR_CLOUD_URL and VENDOR_CLOUD_TOKEN")
		os.Exit(2)
	}
	heartbeat, _ := time.ParseDuration(os.Getenv("HEARTBEAT_SECONDS") + "s")
	consumer := &StreamConsumer{
		URL:   url,
		Token: token,
		// Stands in for the vendor's token service.
		RenewToken: func(ctx context.Context) (string, error) {
			const wish = `{"user":"alice-home","scopes":["r:locations:*"],` +
				`"locations":["11111111-0000-4000-8000-000000000001"],"expiresIn":3600}`
			response, err := http.Post(url+"/_control/tokens", "application/json", strings.NewReader(wish))
			if err != nil {
				return "", err
			}
			defer response.Body.Close()
			var reply struct{ AccessToken string }
			err = json.NewDecoder(response.Body).Decode(&reply)
			return reply.AccessToken, err
		},
		Handle:    func(event string, data json.RawMessage) { fmt.Println(event, string(data)) },
		HandleGap: func(subscription Subscription) { fmt.Println("events were lost", subscription.ID) },
		Heartbeat: heartbeat,
	}
	if err := consumer.Run(ctx); err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
