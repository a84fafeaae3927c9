/** A text of digits: numbers beyond 2^31 would be written with an exponent. */
const digits = (value: string): string => `string.format('%.0f', ${value})`

/**
 * Numbers an entry and puts it at the end of a world's log. KEYS: log, head. ARGV: field, value, number to go on from
 * when the server has forgotten its own.
 */
export const appendScript = `
if redis.call('EXISTS', KEYS[2]) == 0 then redis.call('SET', KEYS[2], ARGV[3]) end
local number = redis.call('INCR', KEYS[2])
redis.call('XADD', KEYS[1], 'MAXLEN', '~', 50000, ${digits('number')} .. '-0', ARGV[1], ARGV[2])
return ${digits('number')}`

/** A claim of an instance that is gone is none. */
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
