import { defineBackground } from 'wxt/utils/define-background'
import { start } from '../src/background/start.ts'

export default defineBackground(() => start())
