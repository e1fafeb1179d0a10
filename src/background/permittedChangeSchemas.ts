import * as v from 'valibot'
import type { SettingsChanges } from '../domain/network/network.ts'
import type { NetworkFormValues } from '../domain/network/networkTexts.ts'
import type {
  ChangeOutcome,
  Favourites,
  PermittedChange,
  WaitingChange,
} from '../domain/network/permittedChange.ts'
import type { ErrorCode } from '../errors.ts'
import { settingsChangesSchema } from './api/schemas.ts'
import { address, chainId, intentId, networkRouteOptions } from './schemas.ts'
import { networkSchema, notificationSettingsSchema, urlSchema } from './settings.ts'

const text = v.exactOptional(v.pipe(v.string(), v.maxLength(2_000)))

const edits: v.GenericSchema<unknown, Partial<NetworkFormValues>> = v.object({
  name: text,
  symbol: text,
  serviceUrl: text,
  serviceVersion: v.exactOptional(v.picklist(['6.1', '3.0'])),
  serviceKey: text,
  rpcUrl: text,
  spareRpcUrl: text,
  explorerUrl: text,
  router: text,
  feeLimit: text,
  tipLimit: text,
  wrapped: text,
  v3Factory: text,
  quoter: text,
  swapRouter: text,
})

const favourites: v.GenericSchema<unknown, Favourites> = v.pipe(
  v.array(v.object({ chainId, tokens: v.pipe(v.array(address), v.maxLength(10_000)) })),
  v.maxLength(1_000),
)

const change: v.GenericSchema<unknown, PermittedChange> = v.variant('kind', [
  v.object({
    kind: v.literal('edit-network'),
    chainId,
    edits,
    isChecked: v.boolean(),
    isChosen: v.exactOptional(v.literal(true)),
  }),
  v.object({ kind: v.literal('set-route-options'), chainId, options: networkRouteOptions }),
  v.object({ kind: v.literal('reset-network'), chainId }),
  v.object({ kind: v.literal('add-network'), network: networkSchema }),
  v.object({ kind: v.literal('find-chain'), rpcUrl: urlSchema }),
  v.object({ kind: v.literal('set-notices'), notices: notificationSettingsSchema }),
  v.object({
    kind: v.literal('import'),
    // The settings schema validates the rest.
    changes: settingsChangesSchema as unknown as v.GenericSchema<unknown, SettingsChanges>,
    before: v.array(networkSchema),
    favourites,
  }),
])

export const waitingChangeSchema: v.GenericSchema<unknown, WaitingChange> = v.object({
  id: intentId,
  urls: v.pipe(v.array(urlSchema), v.maxLength(1_000)),
  change,
})

export const changeOutcomeSchema: v.GenericSchema<unknown, ChangeOutcome> = v.union([
  v.object({ isDone: v.literal(true), chainId: v.exactOptional(chainId) }),
  v.object({
    isDone: v.literal(false),
    code: v.string() as v.GenericSchema<unknown, ErrorCode>,
    message: v.string(),
    facts: v.record(v.string(), v.string()),
  }),
])
