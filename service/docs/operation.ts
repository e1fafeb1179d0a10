import type { Document } from '../api/openapi.ts'
import type { DocumentedOperation, Parameter } from '../api/openapiOperation.ts'
import { type Field, listFields, nameKind } from './fields.ts'
import { type Html, html } from './html.ts'
import { inline, prose } from './prose.ts'
import { command, json } from './samples.ts'

/** Renders an operation. */
export function renderOperation(
  document: Document,
  path: string,
  operation: DocumentedOperation,
  origin: string,
): Html {
  const { operationId: id, summary, description, parameters, responses } = operation
  const { schema, example } = responses[200].content['application/json']
  const asked = parameters.filter((parameter) => parameter.in !== 'header')
  return html`
    <article id="${id}">
      <div class="text">
        <h3>${summary}${anchor(id, summary)}</h3>
        <p class="path"><span class="method">GET</span><code>${path}</code></p>
        ${prose(description)}
        ${renderParameters(asked.toSorted((a, b) => Number(b.required) - Number(a.required)))}
        ${renderFields('Fields of the answer', listFields(document, schema))}
        ${renderFields('Headers of the answer', listHeaders(responses[200].headers))}
        ${renderRefusals(responses)}
      </div>
      <div class="sample">
        <h4>Request</h4>
        <pre tabindex="0"><code>${command(origin, path, operation)}</code></pre>
        <h4>Answer</h4>
        <pre tabindex="0"><code>${json(example)}</code></pre>
      </div>
    </article>`
}

export function anchor(id: string, name: string): Html {
  return html`<a class="anchor" href="#${id}" aria-label="Link to “${name}”">#</a>`
}

function renderParameters(parameters: Parameter[]): Html {
  if (parameters.length === 0) return html`<p class="dim">No parameters.</p>`
  const rows = parameters.map(
    ({ name, required, description, schema }) => html`
          <tr>
            <th scope="row"><code>${name}</code>${required ? html`<span class="required">required</span>` : ''}</th>
            <td class="kind">${describeKind(schema)}</td>
            <td>${inline(description)}</td>
          </tr>`,
  )
  return html`
        <table>
          <caption>Parameters</caption>
          <thead><tr><th scope="col">Name</th><th scope="col">Kind</th><th scope="col">Meaning</th></tr></thead>
          <tbody>${rows}
          </tbody>
        </table>`
}

/** `integer`, `0 to 50`, `default 50` */
function describeKind(schema: Parameter['schema']): Html {
  const { minimum, maximum, default: fallback } = schema
  const range = minimum === undefined ? '' : html`<span>${grouped(minimum)} to ${grouped(maximum)}</span>`
  const otherwise = fallback === undefined ? '' : html`<span>default ${grouped(fallback)}</span>`
  return html`${nameKind(schema)}${range}${otherwise}`
}

function grouped(value: unknown): string {
  return typeof value === 'number' ? value.toLocaleString('en') : String(value)
}

function listHeaders(headers: DocumentedOperation['responses'][200]['headers']): Field[] {
  return Object.entries(headers).map(([name, { description, schema }]) => {
    return { name, kind: nameKind(schema), isOptional: false, description }
  })
}

function renderFields(title: string, fields: Field[]): Html {
  const rows = fields.map(
    ({ name, kind, isOptional, description }) => html`
            <tr>
              <th scope="row"><code>${name}</code>${isOptional ? html`<span class="optional">optional</span>` : ''}</th>
              <td class="kind">${kind}</td>
              <td>${inline(description)}</td>
            </tr>`,
  )
  return html`
        <details>
          <summary>${title}</summary>
          <table class="stacked">
            <thead><tr><th scope="col">Name</th><th scope="col">Kind</th><th scope="col">Meaning</th></tr></thead>
            <tbody>${rows}
            </tbody>
          </table>
        </details>`
}

/** Common errors are listed once, at the end of the page. */
function renderRefusals(responses: DocumentedOperation['responses']): Html {
  const own = Object.values(responses).flatMap((response) => {
    const schema = 'content' in response ? response.content['application/json'].schema : {}
    return 'allOf' in schema ? (schema as OwnRefusal).allOf[1].properties.code.enum : []
  })
  if (own.length === 0) return html``
  return html`
        <h4>Errors of its own</h4>
        <p class="chips">${own.map((code) => html`<a href="#${code}"><code>${code}</code></a>\n`)}</p>`
}

type OwnRefusal = { allOf: [unknown, { properties: { code: { enum: string[] } } }] }
