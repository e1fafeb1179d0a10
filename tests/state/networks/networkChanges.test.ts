import { beforeEach, describe, expect, it } from 'vitest'
import { builtInNetworks } from '../../../src/config.ts'
import type { Network } from '../../../src/domain/network/network.ts'
import { WalletError } from '../../../src/errors.ts'
import {
  addNetwork,
  changeNetwork,
  findChain,
  hostsInTrouble,
  isFirstReachable,
  resetNetwork,
  setRouteOptions,
} from '../../../src/state/networks/networkChanges.ts'
import { standInSettings } from '../../helpers/state/fakeSettings.ts'
import { local, settings } from '../../helpers/state/fakes.ts'

const mine: Network = { ...local, chainId: 777, name: 'Mine', rpcUrl: 'https://node.example', serviceUrl: '' }

let { one, saved, asked, changes } = standInSettings()
beforeEach(async () => {
  ;({ one, saved, asked, changes } = standInSettings())
  await one.load()
})

describe('changing a network', () => {
  it('requests permission for each host and sends only the edits to the worker', async () => {
    const edits = { serviceUrl: ' https://swap.example ', rpcUrl: '', spareRpcUrl: 'https://spare.example' }
    await changeNetwork(one, local.chainId, edits, { isChecked: true })
    expect(asked).toEqual(['https://swap.example', 'https://spare.example'])
    expect(changes).toMatchObject([
      { urls: asked, change: { kind: 'edit-network', chainId: local.chainId, edits, isChecked: true } },
    ])
    await setRouteOptions(one, local.chainId, { parts: 3 })
    expect(changes[1]).toMatchObject({
      urls: [local.serviceUrl, local.rpcUrl],
      change: { options: { parts: 3 } },
    })
  })

  it('asks the worker to make the network the current one', async () => {
    const rpcUrl = 'https://rpc.example'
    await changeNetwork(one, local.chainId, { rpcUrl }, { isChecked: true, isChosen: true })
    expect(changes[0]?.change).toMatchObject({ edits: { rpcUrl }, isChosen: true })
  })

  it('rejects a change to a network that another window removed, without a permission request', async () => {
    await expect(changeNetwork(one, mine.chainId, {}, { isChecked: true })).rejects.toMatchObject({
      code: 'unknown-chain',
    })
    expect([asked, changes]).toEqual([[], []])
  })
})

describe('isFirstReachable', () => {
  const silent: Network = { ...mine, rpcUrl: '' }
  const edits = { rpcUrl: 'https://node.example' }
  const isFirst = (current: Network, typed: Parameters<typeof isFirstReachable>[2]) => {
    const { chainId } = current
    one.heard({
      ...settings,
      chainId,
      networks: [current, silent].filter((it, at) => at === 0 || it.chainId !== chainId),
    })
    return isFirstReachable(one, silent, typed)
  }

  it('is true for an RPC of any network while the current network has none', () => {
    expect(isFirst({ ...local, rpcUrl: '' }, edits)).toBe(true)
    expect(isFirst(silent, edits)).toBe(true)
  })

  it('is false while the current network has an RPC, and for edits without one', () => {
    expect(isFirst(local, edits)).toBe(false)
    expect(isFirst({ ...local, rpcUrl: '' }, { serviceUrl: 'https://swap.example' })).toBe(false)
  })
})

describe('adding a network', () => {
  it('reads the chain id and then adds the network, each with permission for its host', async () => {
    await findChain(one, mine.rpcUrl)
    await addNetwork(one, mine)
    expect(asked).toEqual([mine.rpcUrl, mine.rpcUrl])
    expect(changes.map(({ change }) => change)).toEqual([
      { kind: 'find-chain', rpcUrl: mine.rpcUrl },
      { kind: 'add-network', network: mine },
    ])
  })
})

describe('resetting a network', () => {
  it('resets a built-in network and removes a custom one', async () => {
    const given = builtInNetworks().find(({ chainId }) => chainId === 1)!
    one.heard({ ...settings, networks: [local, mine, { ...given, rpcUrl: 'https://node.example' }] })
    await resetNetwork(one, 1)
    expect(changes).toMatchObject([{ change: { kind: 'reset-network', chainId: 1 } }])
    await resetNetwork(one, mine.chainId)
    expect(saved).toEqual([{ removed: [mine.chainId] }])
  })
})

describe('hostsInTrouble', () => {
  const network = { ...mine, serviceUrl: 'https://swap.example', spareRpcUrl: 'https://spare.example' }
  const error = (code: WalletError['code']) => new WalletError(code, 'No answer.')
  const nodes = [network.rpcUrl, network.spareRpcUrl]

  it('returns only the hosts that the errors concern', () => {
    expect(hostsInTrouble(network, [error('node-unreachable')])).toEqual(nodes)
    expect(hostsInTrouble(network, [error('service-unreachable')])).toEqual([network.serviceUrl])
    expect(hostsInTrouble(network, [error('wrong-chain'), error('service-timeout')])).toEqual([
      network.serviceUrl,
      ...nodes,
    ])
    expect(hostsInTrouble(network, [])).toEqual([])
  })
})
