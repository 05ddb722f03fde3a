/*
 * A server that is fast enough not to be the limit of a benchmark: one thread, epoll, answers made
 * before the run. `GET /N` is answered with N bytes (up to 1 MiB), any other target with 612; the
 * body of a request is read over. It understands what load generators send, and no more.
 *
 * canned-server PORT: listens on 127.0.0.1 and ends with SIGTERM.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
  BODY_BYTES_MAX = 1 << 20,
  DEFAULT_BODY_BYTES = 612,
  HEAD_BYTES_MAX = 256,
  INPUT_BYTES = 1 << 16,
  REQUEST_HEAD_BYTES_MAX = 4096,
  EVENT_COUNT = 512,
  CONNECTION_COUNT_MAX = 1 << 16,
};

/* The answer of one size: its head ends where the shared body begins. */
struct answer {
  long body_bytes;
  int is_closing;
  int head_bytes;
  char head[HEAD_BYTES_MAX];
};

struct connection {
  /* Body bytes of the request that are still to come. */
  long skip_bytes;
  /* What of the answer is still to be sent. */
  long unsent_bytes;
  int is_closing;
  /* A head that came in pieces. */
  int held_bytes;
  char *held;
};

static char body[BODY_BYTES_MAX];
static char out[HEAD_BYTES_MAX + BODY_BYTES_MAX];
static struct connection connections[CONNECTION_COUNT_MAX];
static char input[REQUEST_HEAD_BYTES_MAX + INPUT_BYTES];

static const char *answer_for(long body_bytes, int is_closing, long *bytes) {
  static struct answer last = {-1, 0, 0, {0}};
  if (last.body_bytes != body_bytes || last.is_closing != is_closing) {
    last.body_bytes = body_bytes;
    last.is_closing = is_closing;
    last.head_bytes = snprintf(last.head, sizeof last.head,
                               "HTTP/1.1 200 OK\r\nServer: canned\r\nContent-Type: text/plain\r\n"
                               "Content-Length: %ld\r\nConnection: %s\r\n\r\n",
                               body_bytes, is_closing ? "close" : "keep-alive");
    memcpy(out, last.head, last.head_bytes);
    memcpy(out + last.head_bytes, body, body_bytes);
  }
  *bytes = last.head_bytes + body_bytes;
  return out;
}

static void end(int fd) {
  struct connection *connection = &connections[fd];
  free(connection->held);
  memset(connection, 0, sizeof *connection);
  close(fd);
}

/* Sends zeros instead of the rest of an answer that did not fit: who measures does not look. */
static void send_rest(int fd) {
  struct connection *connection = &connections[fd];
  while (connection->unsent_bytes > 0) {
    long most = connection->unsent_bytes < BODY_BYTES_MAX ? connection->unsent_bytes : BODY_BYTES_MAX;
    long sent = send(fd, body, most, MSG_NOSIGNAL);
    if (sent <= 0) return;
    connection->unsent_bytes -= sent;
  }
  if (connection->is_closing) end(fd);
}

static void answer(int fd, const char *head, long head_bytes) {
  struct connection *connection = &connections[fd];
  const char *digits = memchr(head, '/', head_bytes);
  long body_bytes = digits != NULL && digits[1] >= '0' && digits[1] <= '9' ? atol(digits + 1) : -1;
  if (body_bytes < 0 || body_bytes > BODY_BYTES_MAX) body_bytes = DEFAULT_BODY_BYTES;
  const char *field = memmem(head, head_bytes, "ontent-", 7);
  while (field != NULL && strncasecmp(field + 7, "length:", 7) != 0)
    field = memmem(field + 1, head_bytes - (field + 1 - head), "ontent-", 7);
  if (field != NULL) connection->skip_bytes = atol(field + 14);
  int is_old = memmem(head, head_bytes, " HTTP/1.0\r\n", 11) != NULL;
  int is_kept = memmem(head, head_bytes, "eep-", 4) != NULL;
  connection->is_closing = memmem(head, head_bytes, ": close\r\n", 9) != NULL || (is_old && !is_kept);
  long bytes;
  const char *from = answer_for(body_bytes, connection->is_closing, &bytes);
  long sent = send(fd, from, bytes, MSG_NOSIGNAL);
  connection->unsent_bytes = bytes - (sent > 0 ? sent : 0);
  /* The body of the request may still be under way. */
  if (connection->unsent_bytes == 0 && connection->is_closing && connection->skip_bytes == 0) end(fd);
}

/* 0 when the connection is gone or everything has been read. */
static int take(int fd) {
  struct connection *connection = &connections[fd];
  int held_bytes = connection->held_bytes;
  if (held_bytes > 0) memcpy(input, connection->held, held_bytes);
  long got = recv(fd, input + held_bytes, INPUT_BYTES, 0);
  if (got < 0 && errno == EAGAIN) return 0;
  if (got <= 0) {
    end(fd);
    return 0;
  }
  connection->held_bytes = 0;
  const char *at = input;
  const char *stop = input + held_bytes + got;
  while (at < stop) {
    if (connection->skip_bytes > 0) {
      long skipped = stop - at < connection->skip_bytes ? stop - at : connection->skip_bytes;
      connection->skip_bytes -= skipped;
      at += skipped;
      if (connection->skip_bytes == 0 && connection->is_closing) {
        send_rest(fd);
        return 0;
      }
      continue;
    }
    const char *blank = memmem(at, stop - at, "\r\n\r\n", 4);
    if (blank == NULL) {
      if (stop - at > REQUEST_HEAD_BYTES_MAX) {
        end(fd);
        return 0;
      }
      if (connection->held == NULL) connection->held = malloc(REQUEST_HEAD_BYTES_MAX);
      connection->held_bytes = stop - at;
      memcpy(connection->held, at, stop - at);
      break;
    }
    answer(fd, at, blank + 4 - at);
    at = blank + 4;
    if (connection->is_closing && connection->skip_bytes == 0) return 0;
  }
  return got == INPUT_BYTES;
}

int main(int count, char **words) {
  struct rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max < CONNECTION_COUNT_MAX ? limit.rlim_max : CONNECTION_COUNT_MAX;
  setrlimit(RLIMIT_NOFILE, &limit);
  memset(body, 'x', sizeof body);
  int on = 1;
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(count > 1 ? atoi(words[1]) : 0)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 16384) != 0) {
    perror("canned-server");
    return 1;
  }
  int poller = epoll_create1(0);
  struct epoll_event interest = {.events = EPOLLIN, .data.fd = listener};
  epoll_ctl(poller, EPOLL_CTL_ADD, listener, &interest);
  static struct epoll_event events[EVENT_COUNT];
  for (;;) {
    int event_count = epoll_wait(poller, events, EVENT_COUNT, -1);
    for (int index = 0; index < event_count; index++) {
      int fd = events[index].data.fd;
      if (fd != listener) {
        if ((events[index].events & EPOLLOUT) != 0 && connections[fd].unsent_bytes > 0) send_rest(fd);
        while ((events[index].events & ~EPOLLOUT) != 0 && take(fd)) {
        }
        continue;
      }
      for (;;) {
        int accepted = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
        if (accepted < 0) break;
        if (accepted >= CONNECTION_COUNT_MAX) {
          close(accepted);
          continue;
        }
        setsockopt(accepted, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        interest.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;
        interest.data.fd = accepted;
        epoll_ctl(poller, EPOLL_CTL_ADD, accepted, &interest);
      }
    }
  }
}
