import { describe, expect, it } from 'vitest'
import { maxRouteGas, type RouteOptions, routeLimits } from '../../../src/domain/swap/routeOptions.ts'
import {
  type OptionTexts,
  optionFields,
  parseRouteOptions,
  toOptionTexts,
} from '../../../src/ui/networks/routeOptions.ts'

const referrer = `0x${'ab'.repeat(20)}` as const
const other = `0x${'cd'.repeat(20)}` as const
const nothing = toOptionTexts({})
const typed = (texts: Partial<OptionTexts>) => parseRouteOptions({ ...nothing, ...texts })

describe('route options', () => {
  it('parses the texts of options back to the same options', () => {
    const options: RouteOptions = {
      complexityLevel: 0,
      parts: 50,
      mainRouteParts: 10,
      gasLimit: 3_000_000,
      connectorTokens: [referrer, other],
      gasPrice: 1_500_000_000n,
      feeBps: 30,
      referrer,
    }
    expect(parseRouteOptions(toOptionTexts(options))).toEqual({ options, faults: {} })
    expect(parseRouteOptions(toOptionTexts({ connectorTokens: 3 })).options).toEqual({ connectorTokens: 3 })
  })

  it('omits empty options', () => {
    expect(parseRouteOptions(nothing)).toEqual({ options: {}, faults: {} })
  })

  it.each<[keyof OptionTexts, string[]]>([
    ['complexityLevel', ['3', '-1', '1.5', 'one']],
    ['parts', ['51', '1e1']],
    ['mainRouteParts', ['11']],
    ['gasLimit', ['99999', '3000001', '100,000']],
    [
      'connectorTokens',
      [
        '6',
        '0x12',
        `${Array(6)
          .fill(0)
          .map((_, i) => `0x${String(i).repeat(40)}`)}`,
      ],
    ],
    ['gasPrice', ['0', '10000.1', '-1', '1,000.5', '1,000']],
    ['fee', ['3.01', '0.123', 'x']],
    ['referrer', ['0xabc']],
  ])('rejects %s outside its limits with an error message', (name, texts) => {
    for (const text of texts) {
      const { options, faults } = typed({ [name]: text })
      expect(faults[name]).toMatch(/^(Enter|Max|Use) /)
      expect(options).toEqual({})
    }
  })

  it('requires a referrer for a partner fee', () => {
    expect(typed({ fee: '0,3' }).faults).toEqual({ referrer: 'Enter a referrer to receive the partner fee' })
    expect(typed({ fee: '0,3', referrer: referrer.toUpperCase().replace('X', 'x') })).toEqual({
      options: { feeBps: 30, referrer },
      faults: {},
    })
    expect(typed({ fee: '0' }).faults).toEqual({})
  })

  it('states the enforced limits in the hints', () => {
    const hintOf = (name: keyof OptionTexts) => optionFields.find((field) => field.name === name)!.hint
    for (const name of ['complexityLevel', 'parts', 'mainRouteParts', 'connectorTokens'] as const) {
      expect(hintOf(name)).toContain(routeLimits[name].join('–'))
    }
    const gas = [routeLimits.gasLimit[0], maxRouteGas].map((limit) => String(limit))
    expect(hintOf('gasLimit')).toContain(gas.join('–'))
    expect(hintOf('fee')).toContain(routeLimits.feeBps.map((bps) => bps / 100).join('–'))
  })

  it('explains every option', () => {
    for (const { hint, label } of optionFields) expect(hint.length + label.length).toBeGreaterThan(30)
    expect(new Set(optionFields.map(({ name }) => name)).size).toBe(Object.keys(nothing).length)
  })
})
