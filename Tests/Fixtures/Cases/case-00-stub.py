#!/usr/bin/env python3
"""Scripted one-thread-per-connection HTTP stub for the cases.

usage: case-00-stub.py PORT PLAN [LOG]        (PORT 0: a free one, told on standard output)
PLAN lines:  <times|*> <METHOD|*> <path regex> <action ...>
  FILE.json          200 with that JSON         FILE.http   raw bytes, then close
  STATUS n           bare status                RESET       TCP reset, nothing sent
  HANG s             read request, stay silent  EMPTY       empty searchset
  SAVE [HANG s|RESET]  keep the posted/put body; then 201/200, or stay silent, or reset
                     (an If-None-Exist already seen, or a PUT to a known path, makes no second copy)
                     (a PUT whose If-Match is not the kept version gets 412)
  SAVED              the kept record at that path, or a searchset of everything kept so far
  WAIT s ACTION      any action above, after s seconds
  BODY {...}         200 with the JSON that follows
Addresses of 127.0.0.1:8080 in JSON files become those of this stub.
First line that fits and has turns left wins; nothing fits: 404 OperationOutcome.
LOG gets one JSON line a request: port, method, path, headers, body.
"""
import json, os, re, socket, struct, sys, threading, time
port, plan, log = int(sys.argv[1]), sys.argv[2], (sys.argv[3] if len(sys.argv) > 3 else None)
here = os.path.dirname(os.path.abspath(__file__))
rules = []
for line in open(plan, encoding='utf-8'):
    line = line.strip()
    if line and not line.startswith('#'):
        n, m, rx, act = line.split(None, 3)
        rules.append([float('inf') if n == '*' else int(n), m, re.compile(rx), act.split()])
lock, saved, keys = threading.Lock(), {}, {}

def reply(c, status, obj=None, extra=()):
    b = b'' if obj is None else json.dumps(obj).encode()
    h = ['HTTP/1.1 ' + status, 'Content-Type: application/fhir+json', 'Content-Length: %d' % len(b),
         'Connection: close', *extra]
    c.sendall(('\r\n'.join(h) + '\r\n\r\n').encode() + b)

def reset(c):
    c.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))

def keep(method, path, head, body):
    with lock:
        key = head.get('if-none-exist')
        if method == 'PUT':
            new, where = path not in saved, path
            want = re.search(r'"(\d+)"', head.get('if-match', ''))
            have = None if new else int(saved[path]['meta']['versionId'])
            if want and have is not None and int(want.group(1)) != have:
                return None, where
            ver = (int(want.group(1)) if want else 0) + 1 if new else have + 1
        elif key and key in keys:
            return False, keys[key]
        else:
            new, where, ver = True, '%s/srv-%d' % (path.split('?')[0], len(saved) + 1), 1
            if key:
                keys[key] = where
        res = json.loads(body or '{}')
        res['id'] = where.rsplit('/', 1)[1]
        res['meta'] = {'versionId': str(ver), 'lastUpdated': time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())}
        saved[where] = res
        return new, where

def serve(c):
    with c:
        data = b''
        while b'\r\n\r\n' not in data:
            part = c.recv(65536)
            if not part:
                return
            data += part
        head, body = data.split(b'\r\n\r\n', 1)
        lines = head.decode('latin-1').split('\r\n')
        method, path, _ = lines[0].split(' ', 2)
        hd = {k.strip().lower(): v.strip() for k, v in (x.split(':', 1) for x in lines[1:])}
        if hd.get('expect', '').lower() == '100-continue':
            c.sendall(b'HTTP/1.1 100 Continue\r\n\r\n')
        if 'chunked' in hd.get('transfer-encoding', '').lower():
            while not body.endswith(b'0\r\n\r\n'):
                body += c.recv(65536)
            out = b''
            while body:
                size, body = body.split(b'\r\n', 1)
                n = int(size.split(b';')[0], 16)
                if n == 0:
                    break
                out, body = out + body[:n], body[n + 2:]
            body = out
        while len(body) < int(hd.get('content-length', 0)):
            body += c.recv(65536)
        text = body.decode('utf-8', 'replace')
        with lock:
            if log:
                with open(log, 'a', encoding='utf-8') as f:
                    f.write(json.dumps({'t': time.time(), 'port': port, 'method': method, 'path': path,
                                        'headers': hd, 'body': text}, ensure_ascii=False) + '\n')
            act = None
            for r in rules:
                if r[0] > 0 and r[1] in ('*', method) and r[2].search(path):
                    r[0] -= 1
                    act = r[3]
                    break
        if act is None:
            return reply(c, '404 Not Found', {'resourceType': 'OperationOutcome',
                         'issue': [{'severity': 'error', 'code': 'not-found'}]})
        if act[0] == 'WAIT':
            time.sleep(float(act[1]))
            act = act[2:]
        if act[0] == 'SAVE':
            new, where = keep(method, path, hd, text)
            act = act[1:]
            if new is None:
                return reply(c, '412 Precondition Failed')
            if not act:
                res = saved[where]
                v = res['meta']['versionId']
                return reply(c, '201 Created' if new else '200 OK', res,
                             ('Location: http://127.0.0.1:%d%s/_history/%s' % (port, where, v), 'ETag: W/"%s"' % v))
        if act[0] == 'HANG':
            time.sleep(float(act[1]))
            return reset(c)
        if act[0] == 'RESET':
            return reset(c)
        if act[0] == 'STATUS':
            return reply(c, act[1] + ' Status')
        if act[0] == 'SAVED' and path.split('?')[0] in saved:
            res = saved[path.split('?')[0]]
            return reply(c, '200 OK', res, ('ETag: W/"%s"' % res['meta']['versionId'],))
        if act[0] in ('EMPTY', 'SAVED'):
            ent = [] if act[0] == 'EMPTY' else [{'search': {'mode': 'match'}, 'resource': x} for x in saved.values()]
            b = {'resourceType': 'Bundle', 'type': 'searchset', 'total': len(ent)}
            if ent:
                b['entry'] = ent
            return reply(c, '200 OK', b)
        if act[0] == 'BODY':
            return reply(c, '200 OK', json.loads(' '.join(act[1:])))
        raw = open(os.path.join(here, act[0]), 'rb').read()
        if act[0].endswith('.json'):
            raw = raw.replace(b'127.0.0.1:8080', b'127.0.0.1:%d' % port)
            raw = (b'HTTP/1.1 200 OK\r\nContent-Type: application/fhir+json; charset=utf-8\r\n'
                   b'Connection: close\r\nContent-Length: %d\r\n\r\n' % len(raw)) + raw
        c.sendall(raw)

def guard(c):
    try:
        serve(c)
    except (OSError, ValueError):
        pass

s = socket.create_server(('127.0.0.1', port), reuse_port=False)
port = s.getsockname()[1]
print('ready on port %d' % port, flush=True)
while True:
    c, _ = s.accept()
    threading.Thread(target=guard, args=(c,), daemon=True).start()
