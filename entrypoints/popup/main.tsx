import { render } from 'preact'

const app = document.getElementById('app')
if (app !== null) render(<main>Sluice</main>, app)
