import * as v from 'valibot'
import type { ReplacementKind, ReplaceRequest } from '../../domain/activity/replacement.ts'
import type { OwnTransfer, TransferRequest } from '../../domain/activity/transfer.ts'
import type { Site } from '../../domain/dapp/site.ts'
import type { QuoteRequest } from '../../domain/swap/quote.ts'
import type { AccountChanges, ExactOutputRequest, ReviewRequest, RevokeRequest } from '../../protocol.ts'
import {
  address,
  chainId,
  fees,
  hash,
  intentId,
  pastPrice,
  routeOptions,
  shownOutcome,
  terms,
  trade,
  uint256,
} from '../schemas.ts'
import { contactSchema } from '../settings.ts'

// The shapes of what the popup asks.

export const nameSchema = v.pipe(v.string(), v.maxLength(2_000))

export const viewNameSchema = v.optional(nameSchema)

/** Nothing comes as null over a channel of JSON. */
export const seedIdSchema = v.pipe(
  v.optional(v.nullable(nameSchema)),
  v.transform((id) => id ?? undefined),
)

export const addressesSchema = v.pipe(v.array(address), v.maxLength(10_000))

/** The vault validates the name. */
export const accountChangesSchema: v.GenericSchema<unknown, AccountChanges> = v.object({
  name: v.exactOptional(nameSchema),
  isHidden: v.exactOptional(v.boolean()),
})

export const amountSchema = v.pipe(uint256, v.minValue(1n))

export const gasSchema = v.optional(amountSchema)

export const quoteRequestSchema: v.GenericSchema<unknown, QuoteRequest> = v.object({
  trade,
  options: v.exactOptional(routeOptions),
  isComparison: v.exactOptional(v.literal(true)),
})

export const exactOutputSchema: v.GenericSchema<unknown, ExactOutputRequest> = v.pipe(
  v.object({
    chainId,
    sell: address,
    buy: address,
    returns: amountSchema,
    options: v.exactOptional(routeOptions),
  }),
  v.check(({ sell, buy }) => sell !== buy, 'sells and buys the same token'),
)

export const reviewRequestSchema: v.GenericSchema<unknown, ReviewRequest> = v.object({
  ...terms,
  id: intentId,
  trade,
  account: address,
  atLeast: v.exactOptional(uint256),
  isAccepted: v.exactOptional(v.literal(true)),
  unattended: v.exactOptional(v.literal(true)),
})

const permission = {
  chainId,
  account: address,
  token: address,
  spender: address,
  via: v.exactOptional(v.literal('permit2')),
}

export const revokeRequestSchema: v.GenericSchema<unknown, RevokeRequest> = v.object(permission)

export const revokeSchema: v.GenericSchema<unknown, RevokeRequest & { id: string; feeCap: bigint }> =
  v.object({
    ...permission,
    id: intentId,
    feeCap: uint256,
  })

const transfer = {
  chainId,
  account: address,
  token: address,
  to: address,
  amount: amountSchema,
  speed: terms.speed,
}

export const transferRequestSchema: v.GenericSchema<unknown, TransferRequest> = v.object(transfer)

export const transferSchema: v.GenericSchema<unknown, OwnTransfer> = v.object({
  ...transfer,
  id: intentId,
  feeCap: uint256,
  expected: v.exactOptional(shownOutcome),
  price: v.exactOptional(pastPrice),
})

export const replacementKindSchema: v.GenericSchema<unknown, ReplacementKind> = v.picklist([
  'faster',
  'cancel',
])

export const replaceRequestSchema: v.GenericSchema<unknown, ReplaceRequest> = v.object({
  id: intentId,
  wish: replacementKindSchema,
  replaces: hash,
  fees,
  feeCap: uint256,
})

const networks = v.exactOptional(v.array(v.looseObject({ chainId })))

/** The settings schema validates the entries on save. */
export const settingsChangesSchema = v.looseObject({
  networks,
  added: networks,
  removed: v.exactOptional(v.array(chainId)),
  contacts: v.exactOptional(v.array(contactSchema)),
  forgotten: v.exactOptional(v.array(address)),
})

export const siteSchema: v.GenericSchema<unknown, Site> = v.object({
  origin: nameSchema,
  accounts: v.array(address),
  chainId,
  connectedAt: v.number(),
})
