/**
 * Small pictures made by arithmetic, so that the site needs no image files.
 *
 * They have a palette of 128 colours and no call of a sine per pixel: the site makes all of them
 * while it starts, in a few milliseconds.
 */
import { deflateSync } from 'node:zlib'

const COLOUR_COUNT = 128

/** A PNG of two colours shading into each other under slow waves. */
export function wavesPng(widthPx: number, heightPx: number, hueDegrees: number): Uint8Array {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(widthPx, 0)
  header.writeUInt32BE(heightPx, 4)
  // 8 bits a pixel, colour type 3: an index into the palette.
  header.set([8, 3], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', header),
    pngChunk('PLTE', palette(hueDegrees)),
    pngChunk('IDAT', deflateSync(rows(widthPx, heightPx))),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** Each row begins with the number of its filter: 0, none. */
function rows(widthPx: number, heightPx: number): Buffer {
  const rowBytes = 1 + widthPx
  const pixels = Buffer.alloc(rowBytes * heightPx)
  const sines = Float64Array.from({ length: widthPx }, (_, x) => Math.sin(x / 23))
  const cosines = Float64Array.from({ length: widthPx }, (_, x) => Math.cos(x / 23))
  for (let y = 0; y < heightPx; y++) {
    // sin(x / 23 + phase) by the addition theorem.
    const phase = 2 * Math.sin(y / 17)
    const [sine, cosine] = [Math.sin(phase), Math.cos(phase)]
    const height = (0.85 * y) / heightPx + 0.075
    for (let x = 0; x < widthPx; x++) {
      const wave = sines[x]! * cosine + cosines[x]! * sine
      pixels[y * rowBytes + 1 + x] = COLOUR_COUNT * (height + 0.07 * wave)
    }
  }
  return pixels
}

function palette(hueDegrees: number): Buffer {
  const colours = Array.from({ length: COLOUR_COUNT }, (_, index) => {
    const ratio = index / COLOUR_COUNT
    return rgbOf(hueDegrees + 60 * ratio, 0.3 + 0.5 * ratio)
  })
  return Buffer.from(colours.flat())
}

/** HSL at a saturation of one half, as bytes. */
function rgbOf(hueDegrees: number, lightness: number): [number, number, number] {
  const spread = 0.5 * Math.min(lightness, 1 - lightness)
  const channel = (offset: number) => {
    const k = (offset + hueDegrees / 30) % 12
    return Math.round(255 * (lightness - spread * Math.max(-1, Math.min(k - 3, 9 - k, 1))))
  }
  return [channel(0), channel(8), channel(4)]
}

function pngChunk(type: string, data: Uint8Array): Buffer {
  const chunk = Buffer.alloc(12 + data.length)
  chunk.writeUInt32BE(data.length, 0)
  chunk.write(type, 4, 'latin1')
  chunk.set(data, 8)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length)
  return chunk
}

/** CRC-32 as PNG wants it (ISO 3309); node:zlib has it only from Node 22 on. */
function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return ~crc >>> 0
}
