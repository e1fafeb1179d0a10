import { expect, it } from 'vitest'
import { formatNetworkStep, parseNetworkStep } from '../../../src/ui/onboarding/onboarding.ts'

it.each([
  ['create-8453', { way: 'create', chainId: 8453 }],
  ['phrase-1', { way: 'phrase', chainId: 1 }],
  ['keystore', { way: 'keystore' }],
  ['42161', { chainId: 42161 }],
  [undefined, {}],
])('reads the step %j and formats it again', (of, step) => {
  expect(parseNetworkStep(of)).toEqual(step)
  expect(formatNetworkStep(step)).toBe(of)
})

it.each(['bring', 'create-', 'x-1', 'create-8453-1', '1e9', '9'.repeat(16), '%00'])(
  'takes no network from %j',
  (of) => {
    const { chainId } = parseNetworkStep(of)
    expect(chainId).toBe(of === 'x-1' ? 1 : undefined)
    expect(parseNetworkStep(of).way).toBe(of === 'create-' ? 'create' : undefined)
  },
)
