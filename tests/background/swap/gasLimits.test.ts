import { expect, it } from 'vitest'
import { approvalFee, expectedStepGas } from '../../../src/background/swap/gasLimits.ts'

type Plan = Parameters<typeof expectedStepGas>[0]

const approve = { kind: 'approve' } as Plan['before'][number]
const plan = { before: [approve], standIns: [] } as unknown as Plan
const standIn = { to: '0x', data: '0x', value: 0n } as unknown as Plan['standIns'][number]

it('adds up the simulated gas of all steps', () => {
  expect(expectedStepGas(plan, [60_000n, 240_000n], [46_000n, 180_000n])).toBe(226_000n)
})

it('uses the limits without their margin if nothing was simulated', () => {
  expect(expectedStepGas(plan, [60_000n, 240_000n], [])).toBe(250_000n)
})

it('leaves out the stand-in of a permit, and adds the gas of the permit', () => {
  const toSign = {} as NonNullable<Plan['toSign']>
  const permit = { before: [], standIns: [standIn], toSign } as unknown as Plan
  expect(expectedStepGas(permit, [360_000n], [46_000n, 180_000n])).toBe(255_000n)
})

it('gives the approvals their share of the expected fee', () => {
  const cost = { expectedGas: 226_000n, expectedFee: 2_260_000n }
  expect(approvalFee(plan, [60_000n, 240_000n], [46_000n, 180_000n], cost)).toBe(460_000n)
  expect(approvalFee({ before: [] }, [240_000n], [180_000n], cost)).toBeUndefined()
})
