/** Lua would write numbers beyond 2^31 with an exponent, so they are kept as digits. */
const digits = (value: string): string => `string.format('%.0f', ${value})`

/** No client can resume from an older entry. */
const KEPT_FOR = 24 * 60 * 60 * 1000

/**
 * KEYS: log, head. ARGV: number to go on from when the server has lost some, number that it must know of. Without its
 * end a log has a hole that nobody would see, so all of it goes.
 */
const mend = `
local number = tonumber(redis.call('GET', KEYS[2]) or '-1')
if number < tonumber(ARGV[2]) then
  redis.call('DEL', KEYS[1])
  redis.call('SET', KEYS[2], ARGV[1])
end
`

/**
 * Puts an entry at the end of a world's log. KEYS and ARGV as above, then: kind, value. Events have numbers of their
 * own, as on every engine; notices come behind the last event, in the order of the server's microseconds: a server that
 * has lost some gives no place again.
 */
export const appendScript = `${mend}
local place = 0
if ARGV[3] == 'notice' then
  local time = redis.call('TIME')
  place = time[1] * 1000000 + time[2]
  local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
  if last then place = math.max(place, tonumber(string.match(last[1], '%d+$')) + 1) end
  number = tonumber(redis.call('GET', KEYS[2]))
else
  number = redis.call('INCR', KEYS[2])
end
local id = ${digits('number')} .. '-' .. ${digits('place')}
redis.call('XADD', KEYS[1], 'MAXLEN', '~', 50000, id, ARGV[3], ARGV[4])
redis.call('PEXPIRE', KEYS[1], ${KEPT_FOR})
return ${digits('number')}`

/** KEYS: log, head. ARGV: first id. One moment of the log: what comes between two commands would be lost unseen. */
export const historyScript = `
local first = redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', 1)[1]
return {redis.call('GET', KEYS[2]) or '-1', first and first[1] or '', redis.call('XRANGE', KEYS[1], ARGV[1], '+')}`

/** KEYS: world. ARGV: task, prefix of leases, instance. Who does the task goes on with it for as long as it lives. */
export const leadScript = `
local holder = redis.call('HGET', KEYS[1], ARGV[1])
if holder == ARGV[3] then return 1 end
if holder and redis.call('EXISTS', ARGV[2] .. holder) == 1 then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return 1`

/** KEYS: place. ARGV: sign. Somebody else may have the place by now. */
export const leaveScript = `
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 1`

/** A claim of an instance that is gone does not count. */
const claimOf = `
local function claimOf(subscription)
  local text = redis.call('HGET', KEYS[1], subscription)
  if not text then return nil end
  local claim = cjson.decode(text)
  if redis.call('EXISTS', ARGV[1] .. claim.instance) == 0 then return nil end
  return claim
end
`

/** KEYS: by subscription, by token, head. ARGV: prefix of leases, subscription, token, generation, instance. */
export const claimScript = `${claimOf}
local holder = redis.call('HGET', KEYS[2], ARGV[3])
if holder and holder ~= ARGV[2] then
  local other = claimOf(holder)
  if other and other.tokenDigest == ARGV[3] then return {'token-in-use', '0'} end
end
local older = claimOf(ARGV[2])
if older and older.generation > tonumber(ARGV[4]) then return {'newer-stream', '0'} end
if older and redis.call('HGET', KEYS[2], older.tokenDigest) == ARGV[2] then
  redis.call('HDEL', KEYS[2], older.tokenDigest)
end
local claim = {tokenDigest = ARGV[3], generation = tonumber(ARGV[4]), instance = ARGV[5]}
redis.call('HSET', KEYS[1], ARGV[2], cjson.encode(claim))
redis.call('HSET', KEYS[2], ARGV[3], ARGV[2])
return {'granted', redis.call('GET', KEYS[3]) or '0'}`

/** KEYS and ARGV as above. Gives the claim, or nothing; ARGV: prefix of leases, subscription. */
export const findClaimScript = `${claimOf}
local claim = claimOf(ARGV[2])
if not claim then return nil end
return cjson.encode(claim)`

/** ARGV: prefix of leases, subscription, token, generation, instance. */
export const releaseScript = `
local text = redis.call('HGET', KEYS[1], ARGV[2])
if not text then return 0 end
local claim = cjson.decode(text)
if claim.generation ~= tonumber(ARGV[4]) or claim.instance ~= ARGV[5] then return 0 end
redis.call('HDEL', KEYS[1], ARGV[2])
if redis.call('HGET', KEYS[2], ARGV[3]) == ARGV[2] then redis.call('HDEL', KEYS[2], ARGV[3]) end
return 1`
