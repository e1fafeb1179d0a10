import { h } from 'preact'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type ErrorCode, WalletError } from '../../../src/errors.ts'
import type { Stores } from '../../../src/state/stores.ts'
import { StoresProvider } from '../../../src/ui/hooks/data/useStore.ts'
import { NetworkError } from '../../../src/ui/networks/NetworkError.tsx'
import { standInSettings } from '../../helpers/state/fakeSettings.ts'
import { local } from '../../helpers/state/fakes.ts'
import { clearDocument, draw, type Node, standInDocument } from '../../helpers/ui/render.ts'

beforeEach(standInDocument)
afterEach(clearDocument)

const network = { ...local, serviceUrl: 'https://swap.example', rpcUrl: 'https://node.example' }

async function tryAgain(mayReach: boolean, codes: ErrorCode[]) {
  const { one: settings, asked } = standInSettings(mayReach)
  let tries = 0
  const stores = { settings, purpose: 'form', place: {} } as unknown as Stores
  const errors = codes.map((code) => new WalletError(code, 'No answer.'))
  const trouble = h(NetworkError, { network, isOffline: false, errors, onRetry: () => void tries++ })
  const place = await draw(h(StoresProvider, { value: stores, children: trouble }))
  press(place, 'Try again')
  await vi.waitFor(() => expect(tries).toBe(1), 10_000)
  return asked
}

function press(place: Node, name: string): void {
  const isNamed = (node: Node): boolean => node.localName === 'button' && node.text === name
  const all = (node: Node): Node[] => [node, ...node.childNodes.flatMap(all)]
  const [button] = all(place).filter(isNamed)
  const click = button?.listeners.click as ((event: object) => void) | undefined
  if (click === undefined) expect.fail(`There is no button ${name}.`)
  click.call(button, { type: 'click' })
}

describe('network error retry', () => {
  it('requests host permissions only for the unreachable endpoint', async () => {
    expect(await tryAgain(true, ['node-unreachable'])).toEqual([network.rpcUrl])
    expect(await tryAgain(true, ['service-unreachable'])).toEqual([network.serviceUrl])
  })

  it('retries even when the browser denies the host permissions', async () => {
    const asked = await tryAgain(false, ['node-unreachable', 'service-unreachable'])
    expect(asked).toEqual([network.serviceUrl, network.rpcUrl])
  })
})
