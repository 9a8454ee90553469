/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SSH keys made by ssh-keygen for these tests alone; they open nothing. */
#ifndef FB_SAMPLES_H
#define FB_SAMPLES_H

#define SAMPLE_TAG "0123456789abcdef"

static const char sample_ed25519[] __attribute__((unused)) =
	"-----BEGIN OPENSSH PRIVATE KEY-----\n"
	"b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW\n"
	"QyNTUxOQAAACCYPH8XZimVIWj/FzTQXzjXX1f1s9NfaBz87kwhCmKV+QAAAKghDH3AIQx9\n"
	"wAAAAAtzc2gtZWQyNTUxOQAAACCYPH8XZimVIWj/FzTQXzjXX1f1s9NfaBz87kwhCmKV+Q\n"
	"AAAEAHLt+DDxVXjlOXnSfBrLiLAAX74NHoKSzXEhIFSW+XC5g8fxdmKZUhaP8XNNBfONdf\n"
	"V/Wz019oHPzuTCEKYpX5AAAAHnI0cy1maXJzdGJvb3RAMDEyMzQ1Njc4OWFiY2RlZgECAw\n"
	"QFBgc=\n"
	"-----END OPENSSH PRIVATE KEY-----\n";

static const char sample_ed25519_pub[] __attribute__((unused)) =
	"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJg8fxdmKZUhaP8XNNBfONdfV/Wz019oHP"
	"zuTCEKYpX5 r4s-firstboot@0123456789abcdef\n";

static const char sample_rsa[] __attribute__((unused)) =
	"-----BEGIN OPENSSH PRIVATE KEY-----\n"
	"b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAlwAAAAdzc2gtcn\n"
	"NhAAAAAwEAAQAAAIEA6aYZOEcd+kL3805k8ZH4Sc6RG6iyQHX6AL0yt1XwyJ9IfV5IlO84\n"
	"QwkUBkeWpbettzT7/F8WBrcs1LwvnVat9lXrXZv+Vf/zQpVjfzSvvaTfoYwjDmSj03HFZw\n"
	"FnwWh4IBp9Vp+k2JMi3IQeBlmi0PJqhwYd+0aSieLnzxMkmDkAAAIYCM2UyQjNlMkAAAAH\n"
	"c3NoLXJzYQAAAIEA6aYZOEcd+kL3805k8ZH4Sc6RG6iyQHX6AL0yt1XwyJ9IfV5IlO84Qw\n"
	"kUBkeWpbettzT7/F8WBrcs1LwvnVat9lXrXZv+Vf/zQpVjfzSvvaTfoYwjDmSj03HFZwFn\n"
	"wWh4IBp9Vp+k2JMi3IQeBlmi0PJqhwYd+0aSieLnzxMkmDkAAAADAQABAAAAgDlpvzi9AP\n"
	"jGC/eVg+h4XfKE99M8GNEOLGiSFSxHyesCeOWVjXBLeB/A01LXtIT0JZOnSWQyWU89I58C\n"
	"vxCChCxTntBmww/ZOFyIraMtfRrWZ5dTR1wROu6FjMeWmVoNR5p5JyakQ5sI+uS3I1fccx\n"
	"pzmCpeIrAZk96DgV7CFpwBAAAAQFJFA25BAo0ASOF5PVlD9hWPoDQEUH61ukylEF6lGvwD\n"
	"rzf7GcJpxpivfe9EBAwMEsFsTIxtVUCX/N++3w2YBvoAAABBAPyMpiOv4dunYiZK3/kMRs\n"
	"exjeM/mMQXb7gcze5UhscuGxwNTVvlJ6PLNw+roMUWI2U5BW2Dzv6k/Qj8HKJDmIkAAABB\n"
	"AOzXVxxupo/BKo88jP9alrqM22dJt57pOuUZcjug48rZOHyx6k6mZREThJyh+b2UU2gEZF\n"
	"+MVtD1LdzY93DrtjEAAAAecjRzLWZpcnN0Ym9vdEAwMTIzNDU2Nzg5YWJjZGVmAQIDBAU=\n"
	"-----END OPENSSH PRIVATE KEY-----\n";

static const char sample_rsa_pub[] __attribute__((unused)) =
	"ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQDpphk4Rx36QvfzTmTxkfhJzpEbqLJAdf"
	"oAvTK3VfDIn0h9XkiU7zhDCRQGR5alt623NPv8XxYGtyzUvC+dVq32Vetdm/5V//NClWN/"
	"NK+9pN+hjCMOZKPTccVnAWfBaHggGn1Wn6TYkyLchB4GWaLQ8mqHBh37RpKJ4ufPEySYOQ"
	"== r4s-firstboot@0123456789abcdef\n";

static const char sample_ecdsa[] __attribute__((unused)) =
	"-----BEGIN OPENSSH PRIVATE KEY-----\n"
	"b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAaAAAABNlY2RzYS\n"
	"1zaGEyLW5pc3RwMjU2AAAACG5pc3RwMjU2AAAAQQRT7JOG0+Qqkx0Hsf9McWnRiaxZJ3W3\n"
	"s9xcjg9/Fh3gk1BKOww8i6l48HGTBTDYwGLShTc8e6iuAqkVYIQrFa3JAAAAuLPU8Pez1P\n"
	"D3AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBFPsk4bT5CqTHQex\n"
	"/0xxadGJrFkndbez3FyOD38WHeCTUEo7DDyLqXjwcZMFMNjAYtKFNzx7qK4CqRVghCsVrc\n"
	"kAAAAhAPy6JjMxkPIJ+hq/qxBjN7Jfb8iBeFw/kH1xVnkGrsrDAAAAHnI0cy1maXJzdGJv\n"
	"b3RAMDEyMzQ1Njc4OWFiY2RlZgE=\n"
	"-----END OPENSSH PRIVATE KEY-----\n";

static const char sample_ecdsa_pub[] __attribute__((unused)) =
	"ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAA"
	"BBBFPsk4bT5CqTHQex/0xxadGJrFkndbez3FyOD38WHeCTUEo7DDyLqXjwcZMFMNjAYtKF"
	"Nzx7qK4CqRVghCsVrck= r4s-firstboot@0123456789abcdef\n";

static const char sample_encrypted[] __attribute__((unused)) =
	"-----BEGIN OPENSSH PRIVATE KEY-----\n"
	"b3BlbnNzaC1rZXktdjEAAAAACmFlczI1Ni1jdHIAAAAGYmNyeXB0AAAAGAAAABDl786Ltf\n"
	"ThyyW8M6mJmvu2AAAAEAAAAAEAAAAzAAAAC3NzaC1lZDI1NTE5AAAAINtBoe9jGZeY8i6w\n"
	"t+rgpKYRbLUHak7V/9tSvo8nOQF0AAAAkLY1owMupgHSZl8rTkFoFaY3iBrQulwRQOFbee\n"
	"kNjxIyKxOsOTHH0TpcBpERTNXzn9prVJYoSkx4EA5VRlWPhcBZ17ebE2Mcm5LsspH6l7OT\n"
	"muBgY75B9vwpdSATfL9elLUl6XiVPWq52sMIKZamX5XAHDAXwD1Jl9PiA2yoIOn1xjvH0X\n"
	"/usl3WSS9LrVUTQg==\n"
	"-----END OPENSSH PRIVATE KEY-----\n";

static const char sample_pem[] __attribute__((unused)) =
	"-----BEGIN RSA PRIVATE KEY-----\n"
	"MIICXgIBAAKBgQDB9HUGsI35K+9q+6FpREwdqhaZZoqa2eGorsRARA22565d1CAL\n"
	"FiAfrRp2tWZctbzS8cxPkXMfC7DzkEQgmQ5sAJWcbR5cayHdRhqmIghadDQMxe8j\n"
	"3WHC+vp4Ukohf5rJSuNx+n+i7m9ou4ip2OaAFZq7b77ZNB5pB7bRVmiTkwIDAQAB\n"
	"AoGAXXmUYPn8IodjJrtJKnOI/472v02lJUY2tFYuLQ7fUTRNW9kc7Frodnu10lpQ\n"
	"kAPikgOIxRxDUEYRLQFtZAx/3wRwgiSsGDY3VvwWsfsrpCByJqhR1I2ThpB964wi\n"
	"2ux+BBupLgVKV/2xKns73RLiPiy0kzcTdSjZ6fncndIx3mkCQQDmDDB8mlGEc5+o\n"
	"SmUPrSl69cM+BR0U24nQPsmwzl/XKok777XO/BUYPgikmK4tDh/12Z04RgK5pOTl\n"
	"Ij6zI5UfAkEA19XnpXoKtDzwDAuuKNWymygq48gbjawlX8ThkitrCSpWuRFm/2UR\n"
	"hSovSRS6q5l4omLyA6R5TK4gukl9VszfDQJBAM3NfdsbG25JGj4uP/ckTQWps79a\n"
	"R8gPF11rrng0SF1vulIagyXnMt/7LzRBOyEnj8QbqKFdULbQI84xMrKEVLUCQQCQ\n"
	"GnTq+qyi4fyzTikdgnAZP5xDMJuU31aktmKUoQB5whbcwU2vPt+PtTaU6I4pe/Ib\n"
	"GUzUOb/y/l9DgUV56pcRAkEAkRJHq/sBxEeRR1LmzthGLWcy25vUbU14gKXXnbEv\n"
	"ZfH/BKBjlw+6hJEcxEVRkZx94g1b0C8w5R/bEAvbBsqNrA==\n"
	"-----END RSA PRIVATE KEY-----\n";

#endif
