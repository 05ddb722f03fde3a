/**
 * What is requested for which markup: siege's set as its specification lists it, the cases that
 * real pages broke siege with, and what can be switched on beyond.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as htmlparser2 from 'htmlparser2'
import { ResourceScanner, stylesheetResources } from './html-resources.ts'
import type { PageContents, ResourceSettings } from './resource-list.ts'

const siegesSet: ResourceSettings = {
  noFollowHosts: [],
  onlySameOrigin: false,
  srcset: false,
  preloadsAndIcons: false,
  css: false,
}

const PAGE = 'http://s.test/h/page'

function contentsOf(
  page: string | Uint8Array,
  { url = PAGE, charset = '', ...settings }: Partial<ResourceSettings> & Where = {},
): PageContents {
  const scanner = new ResourceScanner({ ...siegesSet, ...settings }, htmlparser2)
  const bytes = typeof page === 'string' ? new TextEncoder().encode(page) : page
  scanner.begin(url, charset)
  scanner.receive(bytes, 0, bytes.length)
  return scanner.finish()
}

interface Where {
  readonly url?: string
  readonly charset?: string
}

/** The URLs, those of the page's own host without it. */
function urlsOf(page: string | Uint8Array, options: Partial<ResourceSettings> & Where = {}) {
  return contentsOf(page, options).resourceUrls.map((url) => url.replace(/^http:\/\/s\.test/, ''))
}

const refreshOf = (page: string, options: Where = {}) => contentsOf(page, options).refreshUrl

test('ResourceScanner fetches what siege fetches, by its table', () => {
  const rows: readonly (readonly [markup: string, ...urls: string[]])[] = [
    ['<img src=/a.png>', '/a.png'],
    ['<img alt=x src="/a.png" srcset="/s.png 1x">', '/a.png'],
    ["<img src='/sp ace.png'>", '/sp%20ace.png'],
    ['<img data-src=/a.png>'],
    ['<img src="data:image/gif;base64,R0lGOD">'],
    ['<script async src=/a.js></script>', '/a.js'],
    ['<script type=module src=/a.js></script>', '/a.js'],
    ['<link rel=stylesheet href=/a.css>', '/a.css'],
    ['<link href="/a.css" rel="StyleSheet">', '/a.css'],
    ['<link rel="preload stylesheet" href=/a.css>', '/a.css'],
    ['<link rel="alternate stylesheet" href=/a.css>'],
    ['<link rel=stylesheet>'],
    ['<link href=/a.css>'],
    ['<body background=/bg.png>', '/bg.png'],
    ['<table background=/bg.png>'],
    ['<a href=/x><iframe src=/x></iframe><frame src=/x><input type=image src=/x>'],
    ['<video src=/x poster=/y></video><source src=/x><object data=/x><embed src=/x>'],
    ['<p style="background:url(/x.png)"><style>p{background:url(/x.png)}</style>'],
    ['<link rel=icon href=/x><link rel=preload href=/x><link rel=next href=/x>'],
    ['<picture><source srcset=/x.png><img src=/y.png></picture>', '/y.png'],
  ]
  for (const [markup, ...urls] of rows) assert.deepEqual(urlsOf(markup), urls, markup)
})

test('ResourceScanner: only http-equiv=refresh in a meta names a URL (case 32)', () => {
  const page =
    '<meta name="description" content="Curly Lane, pretty"><meta title=t content="Curlsys bar">'
  assert.deepEqual(contentsOf(page), { resourceUrls: [], refreshUrl: null })
})

test('ResourceScanner: slashes in a query are no host and no directory (case 34)', () => {
  const url = 'http://s.test/h/query?from=/a/b/'
  const page = "<script src='x.php?js=lib/a.js'></script><img src='?u=http://x.test/y'>"
  assert.deepEqual(urlsOf(page, { url }), ['/h/x.php?js=lib/a.js', '/h/query?u=http://x.test/y'])
  assert.deepEqual(urlsOf('<img src=v1.2/p.png><img src=../q.png>'), ['/h/v1.2/p.png', '/q.png'])
})

test('ResourceScanner: srcset is left alone unless asked for (case 36)', () => {
  const page = '<img src=/s1.png srcset="/s1.png 1x, /s2.png 2x">'
  assert.deepEqual(urlsOf(page), ['/s1.png'])
  assert.deepEqual(urlsOf(page, { srcset: true }), ['/s1.png'])
})

test('ResourceScanner: base counts, is relative itself, and only the first (case 37)', () => {
  assert.deepEqual(urlsOf('<base href="/assets/"><img src=b.png>'), ['/assets/b.png'])
  assert.deepEqual(urlsOf('<base href="sub/x"><img src=b.png>'), ['/h/sub/b.png'])
  assert.deepEqual(urlsOf('<base href=/a/><base href=/b/><img src=x>'), ['/a/x'])
  assert.deepEqual(urlsOf('<base target=x><base href=/b/><img src=x>'), ['/b/x'])
  assert.deepEqual(urlsOf('<base href="http://o.test/d/"><img src=x>'), ['http://o.test/d/x'])
  assert.deepEqual(urlsOf('<base href="data:,x"><img src=x>'), ['/h/x'])
  assert.deepEqual(urlsOf('<base href="http://["><img src=x>'), ['/h/x'])
  assert.equal(
    refreshOf('<base href=/b/><meta http-equiv=refresh content="0;x">')?.slice(13),
    '/b/x',
  )
})

test('ResourceScanner: empty, missing and broken values ask for nothing (case 39)', () => {
  const page =
    '<img src=""><img src><img width= height=1 src=/nq.png><script src=></script>' +
    '<img src=" \n "><img src="#top"><meta http-equiv=refresh><meta http-equiv=refresh content=x>'
  // After `width=` a value is due, so `height=1` is that value, and src is an attribute.
  assert.deepEqual(contentsOf(page), {
    resourceUrls: ['http://s.test/nq.png'],
    refreshUrl: null,
  })
  assert.deepEqual(urlsOf('<img src=/whole.png><img src="/cut.png'), ['/whole.png'])
  assert.deepEqual(urlsOf('<img src=/whole.png><img src=/cut.png'), ['/whole.png'])
  assert.deepEqual(urlsOf('<img src=/\0a.png>\0<img src=/b.png>'), ['/%EF%BF%BDa.png', '/b.png'])
})

test('ResourceScanner: of links only stylesheets (case 41)', () => {
  const page =
    '<link rel=stylesheet href=/st.css><link rel=canonical href=/canon>' +
    '<link rel=alternate href=/feed><link rel=preload href=/f.woff2 as=font>' +
    '<link rel=icon href=/fav.ico><style>body{background:url(/bg.png)}</style><a href=/anchor>'
  assert.deepEqual(urlsOf(page), ['/st.css'])
  const all = { preloadsAndIcons: true, css: true }
  assert.deepEqual(urlsOf(page, all), ['/st.css', '/f.woff2', '/fav.ico', '/bg.png'])
})

test('ResourceScanner: each distinct URL once, whatever its fragment (case 42)', () => {
  const page =
    '<img src=/a.png><img src=/b.png><img src="http://S.test:80/h/../a.png#x"><img src=/A.png>'
  assert.deepEqual(urlsOf(page), ['/a.png', '/b.png', '/A.png'])
})

test('ResourceScanner looks into no comment, script, style, template, noscript or text', () => {
  const image = '<img src=/no.png>'
  for (const page of [
    `<!--${image}-->`,
    `<!-- x --!><!-- ${image}-->`,
    `<!x ${image.slice(0, -1)}>`,
    `<?php ${image.slice(1)}`,
    `</ ${image.slice(1)}`,
    `<script>"${image}"</script>`,
    `<script/>${image}</scripts></script/>`,
    `<style>${image}</style >`,
    `<template>${image}</template>`,
    `<template><template></template>${image}</template>`,
    `<noscript>${image}</noscript>`,
    `<title>${image}</title>`,
    `<textarea>${image}</textarea\n>`,
    `<iframe>${image}</iframe>`,
    `<xmp>${image}</xmp a>`,
    `<a title="${image}">`,
    `<imgs src=/no.png><im src=/no.png>`,
  ]) {
    assert.deepEqual(urlsOf(`${page}<img src=/yes.png>`), ['/yes.png'], page)
  }
  assert.deepEqual(urlsOf(`<plaintext>${image}</plaintext>${image}`), [])
})

test('ResourceScanner follows a script into and out of its escapes', () => {
  const page = '<script><!--<script></script><img src=/no.png>--></script><img src=/yes.png>'
  assert.deepEqual(urlsOf(page), ['/yes.png'])
})

test('ResourceScanner: a script in SVG is none of the page, an image in it leaves the SVG', () => {
  assert.deepEqual(urlsOf('<svg><script href=/x src=/no></script></svg>'), [])
  assert.deepEqual(urlsOf('<svg><image src=/no /></svg><image src=/yes.png>'), ['/yes.png'])
  assert.deepEqual(urlsOf('<svg><style><img src=/yes.png></style>'), ['/yes.png'])
})

test('ResourceScanner decodes entities and ignores the case of names', () => {
  assert.deepEqual(urlsOf('<IMG SRC="/a?b=1&amp;c=2">'), ['/a?b=1&c=2'])
  assert.deepEqual(urlsOf('<img src="/a?b=1&#038;c=2&copy=3">'), ['/a?b=1&c=2&copy=3'])
  assert.deepEqual(urlsOf("<img src='&#x2f;&eacute;&quot;'>"), ['/%C3%A9%22'])
  assert.deepEqual(urlsOf('<img src=/a src=/b>'), ['/a'])
})

test('ResourceScanner asks for http and https only', () => {
  const page =
    '<img src=mailto:a@b><img src=javascript:x><img src=about:blank><img src=blob:x>' +
    '<img src=ftp://f.test/x><img src=file:///x><img src=//cdn.test/x><img src=https:x>'
  assert.deepEqual(urlsOf(page), ['http://cdn.test/x', 'https://x/'])
})

test('ResourceScanner leaves out hosts that contain a refused word, in any case', () => {
  const page =
    '<img src=http://ads.Example.test/1><img src=/ads.example.test/2>' +
    '<img src=http://user:ads.example@s.test/3><img src=https://x.ads.example.test:8443/4>'
  const noFollowHosts = ['ADS.example', '']
  assert.deepEqual(urlsOf(page, { noFollowHosts }), [
    '/ads.example.test/2',
    'http://user:ads.example@s.test/3',
  ])
  const meta = '<meta http-equiv=refresh content="0;url=http://ads.example.test/">'
  assert.equal(contentsOf(meta, { noFollowHosts }).refreshUrl, null)
})

test('ResourceScanner stays on the origin when asked to: scheme, host and port', () => {
  const page =
    '<img src=/1><img src=http://s.test:80/2><img src=https://s.test/3><img src=http://s.test:81/4>' +
    '<img src=http://s.test.evil.test/5><meta http-equiv=refresh content="0;http://o.test/">'
  assert.deepEqual(contentsOf(page, { onlySameOrigin: true }), {
    resourceUrls: ['http://s.test/1', 'http://s.test/2'],
    refreshUrl: 'http://o.test/',
  })
})

test('ResourceScanner reads a refresh as browsers do', () => {
  const rows: readonly (readonly [content: string, target: string | null])[] = [
    ['0;url=/x', '/x'],
    ['5; URL = /x', '/x'],
    ['5,/x', '/x'],
    ['5 /x', '/x'],
    ['.5;/x', '/x'],
    ['1.9.2;/x', '/x'],
    [" 0 ; url='/x' y", '/x'],
    ['0;url=&quot;/x&quot;', '/x'],
    ["0;'/x", '/x'],
    ['0;url="/x', '/x'],
    ['0;urn', '/h/urn'],
    ['0;ur=/x', '/h/ur=/x'],
    ['0;url', '/h/url'],
    ['0;url=/x#y', '/x'],
    ['5', null],
    ['5;', null],
    ['5;url=', null],
    ['5;url=page', null],
    ['5x;/x', null],
    [';/x', null],
    ['-1;/x', null],
    ['url=/x', null],
    ['0;url=javascript:x', null],
    ['0;url=http://[', null],
  ]
  for (const [content, target] of rows) {
    const quote = content.includes('"') ? "'" : '"'
    const page = `<meta content=${quote}${content}${quote} http-equiv=ReFresh>`
    assert.equal(refreshOf(page), target === null ? null : `http://s.test${target}`, content)
  }
})

test('ResourceScanner takes the first refresh that is one', () => {
  const refresh = (content: string) => `<meta http-equiv=refresh content="${content}">`
  const page = `${refresh('x')}<noscript>${refresh('0;/no')}</noscript>${refresh('0;/a')}`
  assert.equal(refreshOf(page + refresh('0;/b')), 'http://s.test/a')
})

test('ResourceScanner reads other encodings when Content-Type names them', () => {
  const latin1 = Uint8Array.from('<img src=/\xe9.png>', (character) => character.charCodeAt(0))
  assert.deepEqual(urlsOf(latin1, { charset: 'iso-8859-1' }), ['/%C3%A9.png'])
  assert.deepEqual(urlsOf(latin1, { charset: 'no-such-thing' }), ['/%EF%BF%BD.png'])
  assert.deepEqual(urlsOf('\ufeff<img src=/é.png>'), ['/%C3%A9.png'])
})

test('ResourceScanner picks one candidate of srcset and of picture when asked to', () => {
  const rows: readonly (readonly [markup: string, ...urls: string[]])[] = [
    ['<img srcset="/a.png 640w, /b.png 1280w, /c.png 2560w" src=/d.png>', '/b.png'],
    ['<img srcset="/a.png 320w, /b.png 640w">', '/b.png'],
    ['<img srcset="/a.png 2x" src=/d.png>', '/d.png'],
    ['<img srcset="/a.png, /b.png 2x" src=/d.png>', '/a.png'],
    ['<img srcset="data:,x 1x, /b.png 2x">'],
    ['<img srcset="/a,b.png 1x, ,/c.png 2x">', '/a,b.png'],
    ['<img srcset="/a.png 1y" src=/d.png>', '/d.png'],
    [
      '<picture><source srcset=/w.webp><img src=/d.png></picture><img src=/e.png>',
      '/w.webp',
      '/e.png',
    ],
    ['<picture><source media=print srcset=/w><source srcset=/v><img src=/d></picture>', '/v'],
    ['<picture><img src=/d></picture><source srcset=/v><img src=/e>', '/d', '/e'],
  ]
  for (const [markup, ...urls] of rows)
    assert.deepEqual(urlsOf(markup, { srcset: true }), urls, markup)
})

test('ResourceScanner takes preloads and icons when asked to', () => {
  const page =
    '<link rel="shortcut icon" href=/i><link rel=modulepreload href=/m><link rel=prefetch href=/no>' +
    '<link rel=preload as=image href=/p imagesrcset="/q 1x"><link rel="apple-touch-icon" href=/t>' +
    '<link rel=preload as=font>'
  assert.deepEqual(urlsOf(page, { preloadsAndIcons: true }), ['/i', '/m', '/q', '/t'])
})

test('ResourceScanner reads style elements and attributes when asked to', () => {
  const page =
    '<style>@import "i.css";a{background:url(a.png)}</style><p style="background:url(&quot;b.png&quot;)">' +
    '<template><p style="background:url(no.png)"></template><style>b{background:url(c.png)}'
  const urls = ['/h/i.css', '/h/a.png', '/h/b.png', '/h/c.png']
  assert.deepEqual(urlsOf(page, { css: true }), urls)
})

test('stylesheetResources() resolves against the stylesheet, by the same settings', () => {
  const css = '@import url(../b.css); a{background:url(c.png)} b{background:url(//ad.test/x)}'
  const settings = { ...siegesSet, noFollowHosts: ['ad.test'] }
  assert.deepEqual(stylesheetResources('http://s.test/css/a.css', css, settings).resourceUrls, [
    'http://s.test/b.css',
    'http://s.test/css/c.png',
  ])
})

test('ResourceScanner forgets a page that was not finished', () => {
  const scanner = new ResourceScanner(siegesSet, htmlparser2)
  const feed = (bytes: Uint8Array) => scanner.receive(bytes, 0, bytes.length)
  scanner.begin('http://old.test/', '')
  feed(new TextEncoder().encode('<base href=/old/><img src=/old.png><script>"é').slice(0, -1))
  scanner.begin(PAGE, '')
  feed(new TextEncoder().encode('<img src=new.png>'))
  assert.deepEqual(scanner.finish().resourceUrls, ['http://s.test/h/new.png'])
})

test('ResourceScanner forgets half a character of a page that was not finished', () => {
  const scanner = new ResourceScanner(siegesSet, htmlparser2)
  const page = Uint8Array.from('<img src=/a>', (character) => character.charCodeAt(0))
  const utf16 = new Uint8Array(Uint16Array.from(page).buffer)
  scanner.begin(PAGE, 'utf-16le')
  scanner.receive(utf16, 0, 5)
  scanner.begin(PAGE, 'utf-16le')
  scanner.receive(utf16, 0, utf16.length)
  assert.deepEqual(scanner.finish().resourceUrls, ['http://s.test/a'])
})
