/** Rows of the option table about what is sent and how: fields, pages, logins, proxies, TLS. */
import {
  duration,
  fieldValue,
  headerField,
  login,
  oneOf,
  text,
  wholeNumber,
  yesOrNo,
} from '../plan/option-readers.ts'
import type { ReadResult } from '../plan/option-table.ts'
import { proxyUrl } from './proxies.ts'
import type { SiegeRows, TlsVersion } from './settings.ts'

const DEFAULT_TIMEOUT_SECONDS = 30
/** Hosts of advertisements that a page's resources are not fetched from. */
const NO_FOLLOW_HOSTS = [
  'ad.doubleclick.net',
  'pagead2.googlesyndication.com',
  'ads.pubsqrd.com',
  'ib.adnxs.com',
]

const tlsVersion = oneOf<TlsVersion>(
  {
    ...{ '1.0': 'TLSv1', '1.1': 'TLSv1.1', '1.2': 'TLSv1.2', '1.3': 'TLSv1.3' },
    ...{ 'TLSv1.0': 'TLSv1', 'TLSv1.1': 'TLSv1.1', 'TLSv1.2': 'TLSv1.2', 'TLSv1.3': 'TLSv1.3' },
  },
  '1.0, 1.1, 1.2 or 1.3',
)

export const requestOptions: SiegeRows<
  | 'headers'
  | 'userAgent'
  | 'contentType'
  | 'acceptEncoding'
  | 'httpVersion'
  | 'keepAlive'
  | 'timeoutSeconds'
  | 'zeroDataOk'
  | 'chunked'
  | 'parser'
  | 'noFollowHosts'
  | 'sameOrigin'
  | 'srcset'
  | 'preloads'
  | 'cssResources'
  | 'pageConnectionCount'
  | 'followLocation'
  | 'cookies'
  | 'expireSession'
  | 'cache'
  | 'logins'
  | 'loginUrls'
  | 'authUrls'
  | 'attemptCountMax'
  | 'proxy'
  | 'proxyFromEnv'
  | 'proxyHost'
  | 'proxyPort'
  | 'proxyType'
  | 'proxyLogins'
  | 'ftpLogins'
  | 'uniqueUploads'
  | 'verify'
  | 'caFile'
  | 'certFile'
  | 'keyFile'
  | 'ciphers'
  | 'tlsVersionMin'
  | 'tlsVersionMax'
  | 'tlsResume'
  | 'tlsSessionSeconds'
> = {
  headers: {
    group: 'Requests',
    short: 'H',
    long: 'header',
    argument: 'required',
    argumentName: '"Name: value"',
    directives: ['header'],
    isRepeatable: true,
    default: [],
    example: 'X-Test: siege',
    read: headerField,
    help: 'header field; repeatable, replaces a built-in one',
    details:
      'A field of the same name as a built-in one (Host, Accept, Accept-Encoding, User-Agent, Connection, Content-Type ...) takes its place. Names given more than once are all sent.',
  },
  userAgent: {
    group: 'Requests',
    short: 'A',
    long: 'user-agent',
    longAliases: ['agent'],
    argument: 'required',
    argumentName: 'TEXT',
    directives: ['user-agent'],
    default: null,
    example: 'Mozilla/5.0 (unknown-x86_64-linux-gnu) Siege/4.1.7',
    read: fieldValue,
    help: 'the User-Agent field',
  },
  contentType: {
    group: 'Requests',
    short: 'T',
    long: 'content-type',
    argument: 'required',
    argumentName: 'TYPE',
    words: ['application/json', 'application/x-www-form-urlencoded', 'text/plain', 'text/xml'],
    default: null,
    read: fieldValue,
    help: 'the Content-Type of bodies (form data)',
    details:
      'It beats a Content-Type given as a header field and the type guessed from the name of a body file; a line of a URL list that names its own type beats it.',
  },
  acceptEncoding: {
    group: 'Requests',
    directives: ['accept-encoding'],
    default: 'gzip, deflate',
    template: 'gzip, deflate',
    read: fieldValue,
    help: 'the Accept-Encoding field (gzip, deflate)',
  },
  httpVersion: {
    group: 'Requests',
    directives: ['protocol'],
    default: '1.1',
    template: 'HTTP/1.1',
    read: oneOf<'1.0' | '1.1'>(
      { 'HTTP/1.1': '1.1', 'HTTP/1.0': '1.0', '1.1': '1.1', '1.0': '1.0' },
      'HTTP/1.1 or HTTP/1.0',
    ),
    help: 'version of the protocol, HTTP/1.1 or HTTP/1.0 (HTTP/1.1)',
  },
  keepAlive: {
    group: 'Requests',
    directives: ['connection'],
    default: false,
    template: 'close',
    read: oneOf(
      { close: false, 'keep-alive': true, keepalive: true, 'keep alive': true },
      'close or keep-alive',
    ),
    help: 'close a connection after each request or keep-alive (close)',
  },
  timeoutSeconds: {
    group: 'Requests',
    long: 'timeout',
    isOurs: true,
    argument: 'required',
    argumentName: 'SECONDS',
    directives: ['timeout'],
    default: DEFAULT_TIMEOUT_SECONDS,
    example: '30',
    unit: 'seconds',
    read: timeout,
    help: 'longest wait for anything from the server (30)',
    details:
      'It bounds each wait by itself: connecting, the TLS handshake, the first byte, silence inside a body. 0 means 30.',
  },
  zeroDataOk: {
    group: 'Requests',
    directives: ['zero-data-ok'],
    default: true,
    example: 'true',
    read: yesOrNo,
    help: 'an answer without a body is a success (true)',
  },
  chunked: {
    group: 'Requests',
    directives: ['chunked'],
    default: true,
    template: 'true',
    read: yesOrNo,
    help: 'accepted for old files; chunked bodies are always decoded',
  },

  parser: {
    group: 'Pages',
    short: 'N',
    long: 'no-parser',
    argument: 'none',
    flagValue: false,
    directives: ['parser'],
    default: true,
    template: 'true',
    read: yesOrNo,
    help: 'do not fetch images, scripts and styles of pages',
  },
  noFollowHosts: {
    group: 'Pages',
    directives: ['nofollow'],
    isRepeatable: true,
    default: NO_FOLLOW_HOSTS,
    template: NO_FOLLOW_HOSTS.join('\n'),
    read: hostPart,
    help: 'host, or part of its name, that resources are not fetched from; repeatable',
  },
  sameOrigin: {
    group: 'Pages',
    directives: ['same-origin'],
    default: false,
    example: 'false',
    read: yesOrNo,
    help: "fetch resources from the page's own host only (false)",
  },
  srcset: {
    group: 'Pages',
    directives: ['srcset'],
    default: false,
    example: 'false',
    read: yesOrNo,
    help: 'fetch one candidate of srcset and picture, as a browser would (false)',
  },
  preloads: {
    group: 'Pages',
    directives: ['preload'],
    default: false,
    example: 'false',
    read: yesOrNo,
    help: 'fetch preloads and icons as well (false)',
  },
  cssResources: {
    group: 'Pages',
    directives: ['css-urls'],
    default: false,
    example: 'false',
    read: yesOrNo,
    help: 'fetch what style elements and attributes of a page name by url() (false)',
  },
  pageConnectionCount: {
    group: 'Pages',
    directives: ['page-connections'],
    default: 1,
    example: '1',
    read: wholeNumber(1, 64),
    help: 'connections over which a user fetches the resources of a page (1); browsers have 6',
  },
  followLocation: {
    group: 'Pages',
    short: 'F',
    long: 'no-follow',
    argument: 'none',
    flagValue: false,
    directives: ['follow-location'],
    default: true,
    example: 'true',
    read: yesOrNo,
    help: 'do not follow redirects',
  },
  cookies: {
    group: 'Pages',
    directives: ['cookies'],
    default: true,
    example: 'true',
    read: yesOrNo,
    help: 'keep cookies, a jar for each user (true)',
  },
  expireSession: {
    group: 'Pages',
    directives: ['expire-session'],
    default: false,
    example: 'false',
    read: yesOrNo,
    help: 'forget the cookies of a user each time its list starts again (false)',
  },
  cache: {
    group: 'Pages',
    directives: ['cache'],
    default: false,
    template: 'false',
    read: yesOrNo,
    help: "keep what a browser's cache would keep (false)",
  },

  logins: {
    group: 'Logins and proxies',
    directives: ['login'],
    isRepeatable: true,
    isSecret: true,
    default: [],
    example: 'user:password:realm',
    read: login,
    help: 'credentials for a server that asks for them; repeatable',
    details: 'Without a realm, or with the realm any or all, they serve for every realm.',
  },
  loginUrls: {
    group: 'Logins and proxies',
    directives: ['login-url'],
    isRepeatable: true,
    default: [],
    example: 'http://127.0.0.1:8080/login POST name=a&password=b',
    read: urlLine,
    help: 'URL that a user requests once before all else; repeatable, taken in turn',
  },
  authUrls: {
    group: 'Logins and proxies',
    directives: ['auth-url'],
    isRepeatable: true,
    default: [],
    example: 'http://127.0.0.1:8080/login POST name=a&password=b',
    read: urlLine,
    help: 'URL that a user requests when a server answers 403; repeatable',
  },
  attemptCountMax: {
    group: 'Logins and proxies',
    directives: ['attempts'],
    default: 5,
    example: '5',
    read: wholeNumber(1),
    help: 'most requests to get past one 401 or 407 (5)',
  },
  proxy: {
    group: 'Logins and proxies',
    long: 'proxy',
    isOurs: true,
    argument: 'required',
    argumentName: 'URL',
    directives: ['proxy'],
    default: null,
    example: 'socks5://user:password@proxy.example.com:1080',
    isSecret: true,
    read: proxyUrl,
    help: 'proxy as a URL: http://, socks4:// or socks5://',
    details:
      'It stands for proxy-type, proxy-host, proxy-port and proxy-login in one and beats them. Without a port it is 3128 for http and 1080 for SOCKS. Names are always resolved by the proxy.',
  },
  proxyFromEnv: {
    group: 'Logins and proxies',
    long: 'proxy-from-env',
    isOurs: true,
    argument: 'none',
    flagValue: true,
    directives: ['proxy-from-env'],
    default: false,
    example: 'false',
    read: yesOrNo,
    help: 'use http_proxy, https_proxy, no_proxy',
    details:
      'all_proxy serves where http_proxy or https_proxy is not set. Hosts, domains and networks in no_proxy are reached straight. Without this option the environment does not count.',
  },
  proxyHost: {
    group: 'Logins and proxies',
    directives: ['proxy-host'],
    default: null,
    example: 'proxy.example.com',
    read: text('the name or address of a host'),
    help: 'proxy that requests go through',
  },
  proxyType: {
    group: 'Logins and proxies',
    directives: ['proxy-type'],
    default: 'http',
    example: 'http',
    read: oneOf<'http' | 'socks4' | 'socks5'>(
      { http: 'http', socks4: 'socks4', socks5: 'socks5', socks: 'socks5' },
      'http, socks4 or socks5',
    ),
    help: 'what the proxy speaks: http, socks4 or socks5 (http)',
  },
  proxyPort: {
    group: 'Logins and proxies',
    directives: ['proxy-port'],
    default: 3128,
    example: '3128',
    read: wholeNumber(1, 65_535),
    help: 'port of the proxy (3128)',
  },
  proxyLogins: {
    group: 'Logins and proxies',
    directives: ['proxy-login'],
    isRepeatable: true,
    isSecret: true,
    default: [],
    example: 'user:password:realm',
    read: login,
    help: 'credentials for the proxy; repeatable',
  },
  ftpLogins: {
    group: 'Logins and proxies',
    directives: ['ftp-login'],
    isRepeatable: true,
    isSecret: true,
    default: [],
    example: 'user:password:ftp.example.com',
    read: login,
    help: 'credentials for an FTP server; repeatable',
    details:
      'Without a host they serve for every server. A password with a colon in it needs a host, or any, behind it. Without credentials, here or in the URL, FTP is anonymous.',
  },
  uniqueUploads: {
    group: 'Logins and proxies',
    directives: ['unique'],
    default: true,
    template: 'true',
    read: yesOrNo,
    help: 'give each file uploaded by FTP a name of its own (true)',
    details: 'The number of the user and a counter go in front of the extension.',
  },

  verify: {
    group: 'TLS',
    long: 'verify',
    isOurs: true,
    argument: 'none',
    flagValue: true,
    directives: ['ssl-verify'],
    default: false,
    example: 'false',
    read: yesOrNo,
    help: 'refuse servers whose certificate does not hold',
  },
  caFile: {
    group: 'TLS',
    long: 'ca',
    isOurs: true,
    argument: 'required',
    argumentName: 'FILE',
    directives: ['ssl-ca'],
    default: null,
    example: '/etc/ssl/certs/our-ca.pem',
    read: text('the name of a PEM file'),
    help: 'further authorities to trust, PEM',
  },
  certFile: {
    group: 'TLS',
    directives: ['ssl-cert'],
    default: null,
    example: '/etc/ssl/certs/client.pem',
    read: text('the name of a PEM file'),
    help: 'certificate of the client, PEM',
  },
  keyFile: {
    group: 'TLS',
    directives: ['ssl-key'],
    default: null,
    example: '/etc/ssl/private/client.pem',
    read: text('the name of a PEM file'),
    help: 'its key, PEM (the file of ssl-cert)',
  },
  ciphers: {
    group: 'TLS',
    directives: ['ssl-ciphers'],
    default: null,
    example: 'HIGH:!aNULL',
    read: text("a list of ciphers in OpenSSL's notation"),
    help: "ciphers up to TLS 1.2 in OpenSSL's notation",
  },
  tlsVersionMin: {
    group: 'TLS',
    long: 'tls-min',
    isOurs: true,
    argument: 'required',
    argumentName: 'VERSION',
    words: ['1.0', '1.1', '1.2', '1.3'],
    directives: ['ssl-min'],
    default: null,
    example: '1.2',
    read: tlsVersion,
    help: 'lowest version of TLS: 1.0, 1.1, 1.2 or 1.3 (1.2)',
  },
  tlsVersionMax: {
    group: 'TLS',
    long: 'tls-max',
    isOurs: true,
    argument: 'required',
    argumentName: 'VERSION',
    words: ['1.0', '1.1', '1.2', '1.3'],
    directives: ['ssl-max'],
    default: null,
    example: '1.3',
    read: tlsVersion,
    help: 'highest version of TLS (1.3)',
  },
  tlsResume: {
    group: 'TLS',
    long: 'tls-resume',
    isOurs: true,
    argument: 'none',
    flagValue: true,
    directives: ['ssl-resume'],
    default: false,
    example: 'false',
    read: yesOrNo,
    help: 'resume TLS sessions as browsers do',
  },
  tlsSessionSeconds: {
    group: 'TLS',
    directives: ['ssl-timeout'],
    default: 300,
    example: '300',
    unit: 'seconds',
    read: duration('s', 'a number of seconds, 0 or more'),
    help: 'accepted for old files; servers decide how long a session lasts',
  },
}

const timeoutSeconds = duration('s', 'a number of seconds, 0 or more')

/** As in siege, 0 does not mean "at once" but the default. */
function timeout(raw: string): ReadResult<number> {
  const read = timeoutSeconds(raw)
  return 'value' in read && read.value === 0 ? { value: DEFAULT_TIMEOUT_SECONDS } : read
}

function hostPart(raw: string): ReadResult<readonly string[]> {
  return raw.trim() === '' ? { mustBe: 'part of a host name' } : { value: [raw.trim()] }
}

function urlLine(raw: string): ReadResult<readonly string[]> {
  return raw.trim() === '' ? { mustBe: 'a URL' } : { value: [raw.trim()] }
}
