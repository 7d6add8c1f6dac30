// Prints the configuration of an environment. Needs the API token in SLIPWAY_TOKEN.
package main

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

const (
	baseURL     = "https://slipway.example.com"
	path        = "/api/client/get-configuration"
	environment = "Staging"
	publicKey   = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
	keptFile    = "slipway-configuration.json" // the last configuration; it contains secrets
)

type kept struct {
	ETag          string          `json:"etag"`
	Configuration json.RawMessage `json:"configuration"`
}

func send(nonce, etag string) (*http.Response, []byte, error) {
	request, err := http.NewRequest(http.MethodGet, baseURL+path, nil)
	if err != nil {
		return nil, nil, err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("SLIPWAY_TOKEN"))
	request.Header.Set("X-App-Identifier", "com.acme.app")
	request.Header.Set("X-Nonce", nonce)
	request.Header.Set("If-None-Match", etag)
	client := http.Client{Timeout: 10 * time.Second}
	response, err := client.Do(request)
	if err != nil {
		return nil, nil, err
	}
	defer response.Body.Close()
	if response.Header.Get("X-Signature") == "" {
		return nil, nil, errors.New("the console cannot be reached")
	}
	body, err := io.ReadAll(response.Body)
	return response, body, err
}

// verify checks a response and returns the entity tag that it is signed with (RFC 7515, appendix F; RFC 7797).
func verify(jws string, body []byte, nonce string) (string, error) {
	parts := strings.Split(jws, ".")
	key, err := base64.RawURLEncoding.DecodeString(publicKey)
	if err != nil || len(parts) != 3 {
		return "", errors.New("the signature or the key is malformed")
	}
	signature, _ := base64.RawURLEncoding.DecodeString(parts[2])
	if !ed25519.Verify(key, append([]byte(parts[0]+"."), body...), signature) {
		return "", errors.New("the signature is wrong")
	}
	header, _ := base64.RawURLEncoding.DecodeString(parts[0])
	var claims struct {
		Alg, URL, Nonce, ETag string
		B64                   *bool
	}
	if json.Unmarshal(header, &claims) != nil || claims.Alg != "EdDSA" || claims.B64 == nil || *claims.B64 ||
		claims.URL != path || claims.Nonce != nonce {
		return "", errors.New("the response is not to this request")
	}
	return claims.ETag, nil
}

func readConfiguration() (json.RawMessage, error) {
	var last kept
	if file, err := os.ReadFile(keptFile); err == nil {
		json.Unmarshal(file, &last)
	}
	random := make([]byte, 16)
	rand.Read(random)
	nonce := hex.EncodeToString(random)
	response, body, err := send(nonce, last.ETag)
	if err != nil && last.Configuration != nil {
		return last.Configuration, nil // offline
	} else if err != nil {
		return nil, err
	}
	etag, err := verify(response.Header.Get("X-Signature"), body, nonce)
	if err != nil {
		return nil, err
	}
	switch {
	case response.StatusCode == http.StatusOK && etag != "":
		file, err := json.Marshal(kept{etag, body})
		if err != nil {
			return nil, err
		}
		return body, os.WriteFile(keptFile, file, 0o600)
	case response.StatusCode == http.StatusNotModified && etag == last.ETag:
		return last.Configuration, nil
	case response.StatusCode == http.StatusUnauthorized:
		return nil, errors.New("SLIPWAY_TOKEN is not valid for " + environment)
	case response.StatusCode == http.StatusTooManyRequests:
		seconds, _ := strconv.Atoi(response.Header.Get("Retry-After"))
		time.Sleep(time.Duration(seconds) * time.Second)
		return readConfiguration()
	default:
		return nil, errors.New(string(body))
	}
}

func main() {
	configuration, err := readConfiguration()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(configuration))
}
