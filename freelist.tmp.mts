import { cpSync, readFileSync, writeFileSync, rmSync, mkdtempSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
const root='/tmp/wt/breaker'
const { createLmdbEngine } = await import(root+'/src/adapters/lmdb-engine.ts')
const { nodeDigests } = await import(root+'/src/adapters/node-digests.ts')
const mode=process.argv[2]
const rec=(name='default')=>({plan:{name},seed:undefined,createdAt:0,clock:{offsetMs:0}})
if(mode==='use'){
  const folder=process.argv[3]
  let e
  try { e=await createLmdbEngine(folder,nodeDigests) } catch(x){ console.log('REFUSED '+x.message); process.exit(0) }
  try{
  const {store}=await e.open('default')
  const n=await store.settings.count()
  for(let i=0;i<40;i++) await store.transaction(async tx=>{ for(let k=0;k<5;k++) await tx.settings.put({name:'s'+((i*37+k*11)%300),value:'new'+i+'x'.repeat(500)})})
  await e.abandon()
  const e2=await createLmdbEngine(folder,nodeDigests)
  const s2=(await e2.open('default')).store
  const m=await s2.settings.count()
  await e2.abandon()
  console.log(n===300&&m===300?'FINE':'LOST '+n+' '+m)
  }catch(x){console.log('FAILED '+x.message)}
  process.exit(0)
}
const base=mkdtempSync('/tmp/fl-'), folder=join(base,'data')
const e=await createLmdbEngine(folder,nodeDigests)
const {store}=(await e.create(rec(),{tables:new Map(),blobs:[]}))!
for(let i=0;i<300;i++) await store.transaction(tx=>tx.settings.put({name:'s'+i,value:'v'.repeat(700)}))
for(let i=0;i<300;i+=7) await store.transaction(tx=>tx.settings.put({name:'s'+i,value:'w'.repeat(300)}))
const copy=join(base,'copy')
cpSync(folder,copy,{recursive:true,filter:p=>!p.endsWith('lock')})
await e.close()
const good=readFileSync(join(copy,'data.mdb'))
const pages=good.length/4096
console.log('pages',pages)
const tally:Record<string,number>={}
for(let p=0;p<pages;p++){
  const t=join(base,'t'); rmSync(t,{recursive:true,force:true}); cpSync(copy,t,{recursive:true})
  const bad=Buffer.from(good); for(let i=0;i<4096;i++) bad[p*4096+i]=(i*31+p*7)%256
  if(process.argv[3]==='soft'){ good.copy(bad,p*4096,p*4096,p*4096+4096); for(let i=40;i<4096;i+=97) bad[p*4096+i]^=0x15 }
  writeFileSync(join(t,'data.mdb'),bad)
  const r=spawnSync(process.execPath,['--import','tsx','freelist.tmp.mts','use',t],{cwd:root,encoding:'utf8'})
  const out=(r.stdout.trim().split('\n').pop()||'')+(r.signal??'')+(r.status?` rc${r.status} ${r.stderr.slice(-200)}`:'')
  const key=out.replace(/\/tmp\S+/g,'').slice(0,90)
  tally[key]=(tally[key]??0)+1
  if(!/FINE|REFUSED/.test(out)) console.log('page',p,out)
}
console.log(tally)
rmSync(base,{recursive:true,force:true})
