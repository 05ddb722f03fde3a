import {nodePageReaders} from './dist/src/fleet/page-readers.js'
const parts=['<!doctype html><html><head><meta charset="utf-8"><title>Items &amp; more</title>\n']
for (let index = 0; index < 20; index++) { parts.push(`<link rel="stylesheet" href="/assets/css/part-${index}.css?v=3">\n`); parts.push(`<script src="https://cdn.example.test/lib/${index}.min.js" defer></script>\n`) }
for (let index = 0; index < 560; index++) { const where = index % 3 === 0 ? '/media/' : index % 3 === 1 ? 'thumbs/' : '../shared/'
    parts.push(`<li class="item" id="i${index}"><a href="/item/${index}"><img src="${where}item-${index}.jpg" width="90" alt="Nr. ${index}"></a> A caption.</li>\n`) }
const page=new TextEncoder().encode(parts.join(''))
const f=nodePageReaders({noFollowHosts:['ad.doubleclick.net'],onlySameOrigin:false,srcset:false,preloadsAndIcons:false,css:false})
let best=1e9
for(let r=0;r<30;r++){const a=process.cpuUsage();for(let i=0;i<50;i++){const rd=f.readerFor({url:'http://shop.example.test/n/'+r+'/'+i,contentType:'text/html; charset=utf-8',contentEncoding:''});for(let at=0;at<page.length;at+=16384)rd.receive(page,at,Math.min(at+16384,page.length));rd.finish()}
const c=process.cpuUsage(a);best=Math.min(best,(c.user+c.system)/50)}
console.log(best,'us cpu', page.length/best,'MB/s')
