/** Expiry of abandoned keys. */
export const keptMs = 86_400_000

/** Scripts are atomic: the lease cannot change before the write. */
const isMine = `redis.call('GET', KEYS[1]) == ARGV[1]`
const renew = `redis.call('PEXPIRE', KEYS[1], ARGV[2])`

export const scripts = {
  claim: `
    if ${isMine} then return ${renew} end
    return redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) and 1 or 0`,

  renew: `
    if not (${isMine}) then return 0 end
    return ${renew}`,

  release: `
    if not (${isMine}) then return false end
    redis.call('XADD', KEYS[2], '*', 'gone', '1')
    return redis.call('DEL', KEYS[1])`,

  write: `
    if not (${isMine}) then return false end
    ${renew}
    return redis.call('XADD', KEYS[2], '*', unpack(ARGV, 3))`,

  readSnapshot: `
    local size = redis.call('HSTRLEN', KEYS[1], 'data')
    if size > tonumber(ARGV[1]) then return { redis.call('HGET', KEYS[1], 'id'), false } end
    return redis.call('HMGET', KEYS[1], 'id', 'data')`,

  writeSnapshot: `
    if not (${isMine}) then return false end
    ${renew}
    local id = redis.call('XADD', KEYS[2], '*', unpack(ARGV, 4))
    local last = redis.call('HGET', KEYS[3], 'id')
    redis.call('HSET', KEYS[3], 'id', id, 'data', ARGV[3])
    if last then redis.call('XTRIM', KEYS[2], 'MINID', last) end
    for i = 2, 3 do redis.call('PEXPIRE', KEYS[i], ${keptMs}) end
    return id`,
}
