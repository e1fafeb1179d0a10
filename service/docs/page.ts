import { errorResponses } from '../api/errorResponses.ts'
import type { Document } from '../api/openapi.ts'
import type { DocumentedOperation } from '../api/openapiOperation.ts'
import { httpStatus, type ServiceCode } from '../errors.ts'
import { type Html, html } from './html.ts'
import { icon, mark } from './mark.ts'
import { anchor, renderOperation } from './operation.ts'
import { inline, prose } from './prose.ts'
import { json } from './samples.ts'
import { style } from './style.ts'

/** Renders the API reference, without scripts or external requests. */
export function renderPage(document: Document, publicUrl?: string): string {
  const origin = publicUrl ?? '$SERVICE'
  const versions = document['x-tagGroups'].map(({ name, description, tags }) => {
    const operations = Object.entries(document.paths)
      .map(([path, { get }]): [string, DocumentedOperation] => [path, get])
      .filter(([, operation]) => tags.includes(operation.tags[0]))
    return { id: name.toLowerCase().replaceAll(' ', '-'), name, description, operations }
  })
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${document.info.title}</title>
<link rel="icon" href="${icon}">
<style>${{ html: style }}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
<header>
  <a class="brand" href="#main">${mark}Sluice</a>
  <nav aria-label="Contents">${versions.map(renderContents)}
    <p><a href="#errors">Errors</a></p>
    <p><a href="/openapi.json">OpenAPI</a></p>
  </nav>
</header>
<main id="main">${renderIntroduction(document, origin)}
${versions.map(
  ({ id, name, description, operations }) => html`
  <section id="${id}">
    <h2>${name}${anchor(id, name)}</h2>
    ${prose(description)}
    ${operations.map(([path, operation]) => renderOperation(document, path, operation, origin))}
  </section>`,
)}
${renderErrors()}
</main>
</body>
</html>
`
  return page.html
}

type Contents = { id: string; name: string; operations: [string, DocumentedOperation][] }

function renderContents({ id, name, operations }: Contents): Html {
  const links = operations.map(([path, { operationId }]) => {
    // Version and chain are the same for all.
    const [, , , ...rest] = path.split('/')
    return html`
      <li><a href="#${operationId}">${rest.join('/')}</a></li>`
  })
  return html`
    <div>
      <p><a href="#${id}">${name}</a></p>
      <ul>${links}
      </ul>
    </div>`
}

function renderIntroduction({ info, openapi, components }: Document, origin: string): Html {
  const { description } = components.securitySchemes.key
  return html`
  <section>
    <h1>${info.title}</h1>
    <p class="lead">${info.summary}</p>
    ${prose(info.description)}
    <dl>
      <div><dt>Address</dt><dd>${renderAddress(origin)}</dd></div>
      <div><dt>Key</dt><dd><code>authorization: Bearer …</code> ${inline(description)}</dd></div>
      <div><dt>Request id</dt><dd><code>request-id: …</code> Names the request; its error gives the name back.</dd></div>
      <div><dt>For programs</dt><dd><a href="/openapi.json"><code>/openapi.json</code></a>, OpenAPI ${openapi}</dd></div>
    </dl>
  </section>`
}

function renderAddress(origin: string): Html {
  if (origin !== '$SERVICE') return html`<code>${origin}</code>`
  return html`The origin of this page; the examples call it <code>$SERVICE</code>.`
}

function renderErrors(): Html {
  const codes = (Object.keys(errorResponses) as ServiceCode[]).filter((code) => code !== 'CANCELLED')
  const rows = codes.map(
    (code) => html`
        <tr id="${code}">
          <th scope="row"><code>${code}</code></th>
          <td class="kind">${httpStatus(code)}</td>
          <td>${inline(errorResponses[code])}</td>
        </tr>`,
  )
  return html`
  <section id="errors">
    <h2>Errors${anchor('errors', 'Errors')}</h2>
    <article>
      <div class="text">
        <p>Every error has the same body: <code>code</code> is for programs, <code>description</code> for people, and
        <code>meta</code> holds the description’s numbers, or is <code>null</code>. One request has one code: its faults are
        looked for in a fixed order.</p>
        <table class="stacked">
          <thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Meaning</th></tr></thead>
          <tbody>${rows}
          </tbody>
        </table>
      </div>
      <div class="sample">
        <h4>An error</h4>
        <pre tabindex="0"><code>${json(sample)}</code></pre>
      </div>
    </article>
  </section>`
}

const sample = {
  error: 'Bad Request',
  description: 'insufficient liquidity',
  statusCode: 400,
  code: 'INSUFFICIENT_LIQUIDITY',
  requestId: '82444c15-9092-473a-82da-da3dd1de6d2d',
  meta: [{ type: 'toTokenAmount', value: '0' }],
}
