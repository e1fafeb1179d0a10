import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { prepareState } from '../../../dev/chain/chainState.ts'
import { createLocalnet } from '../../../dev/localnet.ts'
import { slow } from '../../helpers/slow.ts'

slow('A chain runs.')

// Used by no other test, so its state can be deleted.
const chainId = 999_331

describe('prepareState', { timeout: 600_000 }, () => {
  afterAll(async () => rm(await prepareState(chainId)))

  it('builds one state for concurrent callers and reuses it afterwards', async () => {
    await rm(await prepareState(chainId))
    const [path, other] = await Promise.all([prepareState(chainId), prepareState(chainId)])
    expect(path).toBe(other)

    const built = await readFile(path, 'utf8')
    expect(Object.keys(JSON.parse(built).accounts).length).toBeGreaterThan(40)
    expect(await prepareState(chainId)).toBe(path)
    expect(await readFile(path, 'utf8')).toBe(built)

    const localnet = await createLocalnet({ chainId })
    expect(await localnet.client.getCode({ address: localnet.contracts.router })).toBeDefined()
    await localnet.stop()
  })

  it('stores the states of chains in separate files', async () => {
    const path = await prepareState(31337)
    expect(existsSync(path)).toBe(true)
    expect(path).not.toBe(await prepareState(chainId))
  })
})
