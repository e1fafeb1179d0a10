import { beforeEach, describe, expect, it } from 'vitest'
import { builtInNetworks } from '../../../src/config.ts'
import type { Network } from '../../../src/domain/network/network.ts'
import { WalletError } from '../../../src/errors.ts'
import {
  addNetwork,
  changeNetwork,
  hostsInTrouble,
  resetNetwork,
} from '../../../src/state/networks/networkChanges.ts'
import { currentNetwork } from '../../../src/state/settings.ts'
import { standInSettings } from '../standInSettings.ts'
import { local, settings } from '../standIns.ts'

const mine: Network = { ...local, chainId: 777, name: 'Mine', rpcUrl: 'https://node.example', serviceUrl: '' }
const refused = new WalletError('wrong-chain', 'Another chain.')
const refuse = () => Promise.reject(refused)

let { one, saved, asked } = standInSettings()
/** Loads the settings, of a browser that allows all or nothing. */
async function open(answer = true) {
  ;({ one, saved, asked } = standInSettings(answer))
  await one.load()
}
beforeEach(() => open())

describe('a change of a network', () => {
  it('asks the browser for each named host before it is saved', async () => {
    const spareRpcUrl = 'https://spare.example'
    const changed = { ...local, serviceUrl: 'https://swap.example', rpcUrl: '', spareRpcUrl }
    await changeNetwork(one, local.chainId, () => changed)
    expect(asked).toEqual(['https://swap.example', spareRpcUrl])
    expect(saved).toEqual([{ networks: [changed] }])
    expect(currentNetwork(one.getState())).toEqual(changed)
  })

  it('is one of what was edited, and keeps what came while the browser asked', async () => {
    const router = `0x${'ab'.repeat(20)}` as const
    const saving = changeNetwork(one, local.chainId, (network) => ({ ...network, name: 'Mine' }))
    one.heard({ ...settings, networks: [{ ...local, router }] })
    await saving
    expect(saved).toEqual([{ networks: [{ ...local, name: 'Mine', router }] }])
  })

  it('says so where another window removed the network, before or while the browser asked', async () => {
    one.heard({ ...settings, networks: [local, mine] })
    const gone = { code: 'unknown-chain' }
    const check = async () => one.heard({ ...settings, networks: [local] })
    await expect(changeNetwork(one, mine.chainId, (network) => network, check)).rejects.toMatchObject(gone)
    await expect(changeNetwork(one, mine.chainId, (network) => network)).rejects.toMatchObject(gone)
    expect(asked).toEqual([mine.rpcUrl])
    expect(saved).toEqual([])
  })

  it('is not saved where the browser does not allow its hosts', async () => {
    await open(false)
    await expect(changeNetwork(one, local.chainId, (network) => network)).rejects.toMatchObject({
      code: 'invalid-input',
    })
    expect(saved).toEqual([])
  })

  it('is not saved where the check refuses it, which knows what it was', async () => {
    const changed = { ...local, rpcUrl: 'https://node.example' }
    const checked: unknown[] = []
    const check = (...both: unknown[]) => {
      checked.push(both, [...asked])
      return refuse()
    }
    await expect(changeNetwork(one, local.chainId, () => changed, check)).rejects.toBe(refused)
    expect(checked).toEqual([
      [changed, local],
      [local.serviceUrl, changed.rpcUrl],
    ])
    expect(saved).toEqual([])
  })
})

describe('a new network', () => {
  it('is saved once its hosts are allowed and its nodes checked', async () => {
    const asks = [...asked]
    const check = async () => {
      asks.push(...asked, 'check')
    }
    await addNetwork(one, mine, check)
    expect(asks).toEqual([mine.rpcUrl, 'check'])
    expect(saved).toEqual([{ added: [mine] }])
    expect(one.getState().settings?.networks).toEqual([local, mine])
  })

  it('is not saved otherwise', async () => {
    await expect(addNetwork(one, mine, refuse)).rejects.toBe(refused)
    await open(false)
    await expect(addNetwork(one, mine, async () => undefined)).rejects.toMatchObject({
      facts: { why: 'not-allowed' },
    })
    expect(saved).toEqual([])
  })
})

describe('a network that is reset', () => {
  it('has what it came with', async () => {
    const given = builtInNetworks().find(({ chainId }) => chainId === 1)!
    one.heard({ ...settings, networks: [local, { ...given, rpcUrl: 'https://node.example', name: 'Main' }] })
    await resetNetwork(one, 1)
    expect(saved).toEqual([{ networks: [given] }])
  })

  it('is gone where it is the user’s own', async () => {
    one.heard({ ...settings, networks: [local, mine] })
    await resetNetwork(one, mine.chainId)
    expect(saved).toEqual([{ removed: [mine.chainId] }])
    expect(one.getState().settings?.networks).toEqual([local])
  })
})

describe('the hosts in trouble', () => {
  const network = { ...mine, serviceUrl: 'https://swap.example', spareRpcUrl: 'https://spare.example' }
  const error = (code: WalletError['code']) => new WalletError(code, 'No answer.')
  const nodes = [network.rpcUrl, network.spareRpcUrl]

  it('are those that the errors are about, and nobody else', () => {
    expect(hostsInTrouble(network, [error('node-unreachable')])).toEqual(nodes)
    expect(hostsInTrouble(network, [error('service-unreachable')])).toEqual([network.serviceUrl])
    expect(hostsInTrouble(network, [error('wrong-chain'), error('service-timeout')])).toEqual([
      network.serviceUrl,
      ...nodes,
    ])
    expect(hostsInTrouble(network, [])).toEqual([])
  })
})
