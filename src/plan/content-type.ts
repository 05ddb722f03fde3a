/**
 * Guesses the content type of a body from the name of its file.
 *
 * The guess is the weakest claim: a type named in the line or for the whole run beats it. Types
 * are those registered with IANA; for XML it is `text/xml`, which siege's users know.
 */

const TYPES: Readonly<Record<string, string>> = {
  'application/atom+xml': 'atom',
  'application/dash+xml': 'mpd',
  'application/epub+zip': 'epub',
  'application/geo+json': 'geojson',
  'application/graphql': 'graphql gql',
  'application/gzip': 'gz tgz',
  'application/java-archive': 'jar war',
  'application/json': 'json map',
  'application/ld+json': 'jsonld',
  'application/manifest+json': 'webmanifest',
  'application/msword': 'doc dot',
  'application/octet-stream': 'bin dat dll dmg exe img iso so',
  'application/pdf': 'pdf',
  'application/postscript': 'ai eps ps',
  'application/rss+xml': 'rss',
  'application/rtf': 'rtf',
  'application/sql': 'sql',
  'application/vnd.apache.parquet': 'parquet',
  'application/vnd.apple.mpegurl': 'm3u8',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.ms-powerpoint': 'ppt',
  'application/vnd.oasis.opendocument.presentation': 'odp',
  'application/vnd.oasis.opendocument.spreadsheet': 'ods',
  'application/vnd.oasis.opendocument.text': 'odt',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/wasm': 'wasm',
  'application/x-7z-compressed': '7z',
  'application/x-bzip2': 'bz2',
  'application/x-ndjson': 'jsonl ndjson',
  'application/x-protobuf': 'pb proto',
  'application/x-sh': 'sh',
  'application/x-tar': 'tar',
  'application/x-www-form-urlencoded': 'form',
  'application/x-xz': 'xz',
  'application/xhtml+xml': 'xhtml',
  'application/yaml': 'yaml yml',
  'application/zip': 'zip',
  'application/zstd': 'zst',
  'audio/aac': 'aac',
  'audio/flac': 'flac',
  'audio/midi': 'mid midi',
  'audio/mp4': 'm4a',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'oga ogg opus',
  'audio/wav': 'wav',
  'font/otf': 'otf',
  'font/ttf': 'ttf',
  'font/woff': 'woff',
  'font/woff2': 'woff2',
  'image/avif': 'avif',
  'image/bmp': 'bmp',
  'image/gif': 'gif',
  'image/heic': 'heic',
  'image/jpeg': 'jpe jpeg jpg',
  'image/png': 'png',
  'image/svg+xml': 'svg',
  'image/tiff': 'tif tiff',
  'image/vnd.microsoft.icon': 'ico',
  'image/webp': 'webp',
  'text/calendar': 'ics',
  'text/css': 'css',
  'text/csv': 'csv',
  'text/html': 'htm html',
  'text/javascript': 'js mjs',
  'text/markdown': 'markdown md',
  'text/plain': 'asc log text txt',
  'text/tab-separated-values': 'tsv',
  'text/vcard': 'vcf',
  'text/vtt': 'vtt',
  'text/xml': 'xml xsd xsl',
  'video/mp4': 'm4v mp4',
  'video/mpeg': 'mpeg mpg',
  'video/ogg': 'ogv',
  'video/quicktime': 'mov',
  'video/webm': 'webm',
  'video/x-msvideo': 'avi',
}

const typeByExtension: ReadonlyMap<string, string> = new Map(
  Object.entries(TYPES).flatMap(([type, extensions]) => {
    return extensions.split(' ').map((extension): [string, string] => [extension, type])
  }),
)

/** The type that the extension of a file's name stands for in any case, or null. */
export function contentTypeOfFile(path: string): string | null {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
  const dot = name.lastIndexOf('.')
  if (dot < 1) return null
  return typeByExtension.get(name.slice(dot + 1).toLowerCase()) ?? null
}
