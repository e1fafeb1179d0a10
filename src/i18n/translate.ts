import type { ComponentChildren } from 'preact'

/** By English text; plurals have a form per category. */
export type Catalogue = ReadonlyMap<string, string | PluralForms>
export type PluralForms = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>

export type Locale = {
  /** Defaults to the browser's. */
  locale?: string
  /** Absent for English. */
  table?: Catalogue | undefined
  dir?: string
}

let spoken: Locale = {}

export function setLocale(now: Locale): void {
  spoken = now
}

export function spokenLocale(): string | undefined {
  return spoken.locale
}

/** Translates: `t('Not enough {symbol}', { symbol })`. Falls back to English. */
export function t<const Text extends string>(text: Text, ...[values]: Values<Text, string | number>): string {
  return fill(translated(text), values).join('')
}

/** Takes components as values. */
export function tx<const Text extends string>(
  text: Text,
  ...[values]: Values<Text, ComponentChildren>
): ComponentChildren[] {
  return fill(translated(text), values)
}

/** Translates a plural: `plural(sites, '{count} site', '{count} sites')`. */
export function plural<const Text extends string>(
  count: number,
  one: string,
  other: Text,
  ...[values]: Values<Text, string | number, 'count'>
): string {
  const { locale, table } = spoken
  const forms = table?.get(other)
  const text =
    typeof forms === 'object'
      ? (forms[new Intl.PluralRules(locale).select(count)] ?? forms.other)
      : count === 1
        ? one
        : other
  return fill<string | number>(text, { count: count.toLocaleString(locale), ...values }).join('')
}

/** Marks a constant text, translated by `t` where used. */
export function defineMessage<const Text extends string>(text: Text): Text {
  return text
}

/** Unknown for dynamic texts. */
type Names<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Names<Rest>
  : never

type Values<Text extends string, Value, Known extends string = never> = string extends Text
  ? [values?: Record<string, Value>]
  : [Exclude<Names<Text>, Known>] extends [never]
    ? []
    : [values: Record<Exclude<Names<Text>, Known>, Value>]

function translated(text: string): string {
  const said = spoken.table?.get(text)
  return typeof said === 'string' ? said : text
}

function fill<Value>(text: string, values: Record<string, Value> = {}): (string | Value)[] {
  return text.split(/\{(\w+)\}/).map((part, at) => (at % 2 === 0 ? part : apart(values[part] ?? '')))
}

/** Isolates values in right-to-left text (UAX 9: FSI and PDI). */
function apart<Value>(value: Value): Value | string {
  return spoken.dir === 'rtl' && typeof value !== 'object' ? `\u2068${value}\u2069` : value
}
