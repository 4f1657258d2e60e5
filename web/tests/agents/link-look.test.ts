import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { answer } from '../../../server/tests/support/models/model-server.ts'
import { startScripted } from '../support/demo/scripted.ts'
import { signedIn } from '../support/signed-in.ts'
import { visit } from '../support/visitor.ts'

const app = startScripted()
/** Part of a page that serves as a logo. */
const LOGO = { x: 0, y: 0, width: 300, height: 90 }

test('the look of a link is set up with a preview, and visitors see it on its page and on a website', async () => {
  app.script = () => answer('From nine to six.')
  const { id } = await app.docent.agents.create({ name: 'Helper', visibility: 'public' })
  const { page, expectNoTrouble, expectAccessible } = await signedIn(app.browser, app.server, {
    path: `/agents/${id}?part=sharing`,
  })
  await page.getByRole('button', { name: 'New link' }).click()
  const form = page.getByRole('dialog', { name: 'New link' })
  await form.getByLabel('Name', { exact: true }).fill('Website')
  // The form says what is there without a greeting.
  await form.getByText('Empty: “What would you like to know?”').waitFor()
  await form.getByRole('figure', { name: 'Preview' }).getByText('What would you like to know?').waitFor()
  await form.getByLabel('Greeting').fill('Bonjour !')
  await form.getByLabel('Questions to begin with').fill('When are you open?\n\n  Where do I park?  ')
  await form
    .getByLabel('Choose a logo')
    .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: await page.screenshot({ clip: LOGO }) })
  await form.getByLabel('Colour').fill('#f0d020')
  await form.getByLabel('Button on a website').selectOption('left')
  const preview = form.getByRole('figure', { name: 'Preview' })
  await preview.getByText('Ask Helper').waitFor()
  await form.getByLabel('Language').selectOption('fr')
  await preview.getByText('Demander à Helper').waitFor()
  await preview.getByText('Where do I park?').waitFor()
  await expect
    .poll(() => preview.locator('img').evaluate((img: HTMLImageElement) => img.naturalWidth))
    .toBeGreaterThan(0)
  await expectAccessible()
  // It stands beside the fields, wherever these are scrolled to.
  for (const label of ['Name', 'Of one visitor']) {
    await form.getByLabel(label, { exact: true }).scrollIntoViewIfNeeded()
    expect(await preview.getByText('Where do I park?').evaluate(isInView)).toBe(true)
  }
  const origins = form.getByLabel('Websites that may embed it')
  await origins.fill('https://shop.example.com/page')
  await form.getByRole('button', { name: 'Create link' }).click()
  // The problem is told at its field, which has the focus.
  await origins.and(form.locator(':focus[aria-invalid]')).waitFor()
  await form.getByText('Write an origin, such as https://www.example.com, without a path.').waitFor()
  expect(await origins.inputValue()).toBe('https://shop.example.com/page')
  await origins.fill('')
  await form.getByRole('button', { name: 'Create link' }).click()
  await page.getByText('Works', { exact: true }).waitFor()
  const [link] = (await app.docent.agents.links.list(id)).links
  expect(link).toMatchObject({
    color: '#f0d020',
    position: 'left',
    language: 'fr',
    starter_questions: ['When are you open?', 'Where do I park?'],
    logo_url: expect.stringMatching(/^\/v1\/shared\/.*\/logo\?v=/),
  })

  // A logo stays when something else is changed.
  await page.getByRole('button', { name: 'Change Website' }).click()
  const change = page.getByRole('dialog', { name: 'Change the link' })
  await change.getByLabel('Greeting').fill('Salut !')
  await change.getByRole('button', { name: 'Save' }).click()
  await change.waitFor({ state: 'detached' })
  expect((await app.docent.agents.links.get(id, link!.id)).logo_url).toBe(link!.logo_url)

  // The page speaks the language of the link, whatever the browser does, in its colour.
  const visitor = await visit(app.browser, app.server.url, { path: `/shared/${link!.token}` })
  onTestFinished(visitor.leave)
  await visitor.page.getByText('Salut !').waitFor()
  expect(await visitor.page.evaluate(() => document.documentElement.lang)).toBe('fr')
  await visitor.page.getByRole('button', { name: 'When are you open?' }).waitFor()
  await expect
    .poll(() => visitor.page.locator('header img').evaluate((img: HTMLImageElement) => img.naturalWidth))
    .toBeGreaterThan(0)
  await visitor.expectAccessible()
  await visitor.page.getByRole('button', { name: 'When are you open?' }).click()
  await visitor.page.getByText('From nine to six.').first().waitFor()
  await visitor.expectAccessible()

  // So does the button on a website, which comes with the line alone.
  const url = await website(link!.embed_code)
  await app.docent.agents.links.update(id, link!.id, { allowed_origins: [url] })
  const shopper = await visit(app.browser, url)
  onTestFinished(shopper.leave)
  const button = shopper.page.getByRole('button', { name: 'Ouvrir le chat' })
  await button.waitFor()
  const { color, background, left } = await button.evaluate((element) => ({
    color: getComputedStyle(element).color,
    background: getComputedStyle(element).backgroundColor,
    left: element.getBoundingClientRect().left,
  }))
  expect({ color, background, left }).toEqual({ color: 'rgb(0, 0, 0)', background: 'rgb(240, 208, 32)', left: 20 })
  await button.click()
  const chat = shopper.page.frameLocator('docent-chat iframe')
  await chat.getByRole('button', { name: 'Where do I park?' }).click()
  await chat.getByText('From nine to six.').first().waitFor()
  expectNoTrouble()
})

/** Runs in the page: whether all of an element can be seen. */
function isInView(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect()
  return top >= 0 && bottom <= innerHeight
}

/** Page of another site with the line of the link. */
async function website(embedCode: string): Promise<string> {
  const host = http.createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(`<!doctype html><html lang="en"><title>Shop</title><main><h1>Shop</h1></main>${embedCode}`)
  })
  host.listen(0, '127.0.0.1')
  await once(host, 'listening')
  onTestFinished(() => {
    host.close()
    host.closeAllConnections()
  })
  return `http://localhost:${(host.address() as AddressInfo).port}`
}
