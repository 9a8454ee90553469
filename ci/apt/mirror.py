#!/usr/bin/env python3
"""Mirrors for the apt suite: files of a directory by HTTP and HTTPS; /trickle/ gives a byte a second, /lag/ 100 kB a second.

usage: mirror.py DIR ADDRESS CERT KEY LOG      prints "ready" once both ports listen
"""
import http.server
import ssl
import sys
import threading
import time

directory, address, cert, key, log_path = sys.argv[1:]
log = open(log_path, "a", buffering=1)


class Handler(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def __init__(self, *args, **kwargs):
        super().__init__(*args, directory=directory, **kwargs)

    def copyfile(self, source, outputfile):
        step, pause = 1 << 16, 0
        if self.path.startswith("/trickle/"):
            step, pause = 1, 1
        if self.path.startswith("/lag/"):
            step, pause = 10000, 0.1
        while chunk := source.read(step):
            outputfile.write(chunk)
            time.sleep(pause)

    def log_message(self, format, *args):
        log.write("%s %s\n" % (type(self.connection).__name__, format % args))


def serve(port, context):
    server = http.server.ThreadingHTTPServer((address, port), Handler)
    if context:
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    threading.Thread(target=server.serve_forever, daemon=True).start()


tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
tls.load_cert_chain(cert, key)
serve(80, None)
serve(443, tls)
print("ready", flush=True)
threading.Event().wait()
