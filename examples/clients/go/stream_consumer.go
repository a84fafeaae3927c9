// Follows the events of a user's locations: a type to copy, with nothing but the standard library.
//
//	consumer := &StreamConsumer{URL: "https://vendor.example", Token: token, RenewToken: renew, Handle: handle}
//	err := consumer.Run(ctx)
//
// It resumes where it was cut off, waits as long as the server asks it to, notices a connection that has died in
// silence, and makes its subscription anew when that is gone. Run as a program it follows the server that
// VENDOR_CLOUD_URL names.
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

// StreamConsumer holds what is told, and where it stands.
type StreamConsumer struct {
	URL, Token string
	// RenewToken gets another access token, when this one has ended.
	RenewToken func(context.Context) (string, error)
	// Handle gets each event once.
	Handle func(event string, data json.RawMessage)
	// HandleGap is told that events were lost: read again what they would have told.
	HandleGap func(Subscription)
	// Heartbeat is the time between two signs of life of the server; 20 s unless told.
	Heartbeat time.Duration

	lastID   string
	retry    time.Duration
	failures int
}

// Subscription is what the server says of one.
type Subscription struct {
	ID  string `json:"subscriptionId"`
	URL string `json:"registrationUrl"`
}

// StatusError is a reply that tells of a failure.
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

// Run returns nil when a newer connection has taken the stream over, and an error when the context ends or the server
// refuses what no repetition mends.
func (c *StreamConsumer) Run(ctx context.Context) error {
	if c.Heartbeat == 0 {
		c.Heartbeat = 20 * time.Second
	}
	c.retry = time.Second
	var subscription *Subscription
	for {
		var err error
		if subscription == nil {
			subscription, err = c.subscribe(ctx)
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
			subscription = nil
		case errors.As(err, &status):
			if subscription != nil && (status.Status == 401 || status.Status == 404) {
				subscription = nil
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

// nextPause is what the server said; after failures in a row twice as long each time, and not in step with others.
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

func (c *StreamConsumer) subscribe(ctx context.Context) (*Subscription, error) {
	const wish = `{"name":"all","version":1,"subscriptionFilters":[{"type":"LOCATIONIDS","value":["ALL"]}]}`
	c.lastID = ""
	subscription, err := c.call(ctx, http.MethodPost, "/subscriptions", wish)
	var status *StatusError
	if !errors.As(err, &status) || status.Status != http.StatusUnauthorized {
		return subscription, err
	}
	if c.Token, err = c.RenewToken(ctx); err != nil {
		return nil, err
	}
	return c.call(ctx, http.MethodPost, "/subscriptions", wish)
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

// send gives a reply whose body is to be closed, or an error.
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

// follow reads until the stream ends.
func (c *StreamConsumer) follow(ctx context.Context, subscription *Subscription) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stall := time.AfterFunc(3*c.Heartbeat, cancel)
	defer stall.Stop()
	// The address is a capability: it is used as it was given, and without the token.
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

// readEvents reads by the HTML Standard, section 9.2.6: an event that broke off was not sent.
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

// readLines gives lines that end with CR, LF or CRLF, from pieces that end anywhere, also within a character.
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
	url := os.Getenv("VENDOR_CLOUD_URL")
	heartbeat, _ := time.ParseDuration(os.Getenv("HEARTBEAT_SECONDS") + "s")
	consumer := &StreamConsumer{
		URL:   url,
		Token: os.Getenv("VENDOR_CLOUD_TOKEN"),
		// In the place of the vendor's token service.
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
