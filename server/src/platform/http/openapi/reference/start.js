// Runs in the browser: shows the reference, and fills in who is signed in.

/** Milliseconds that a key made for trying things out lives. */
const KEY_MS = 3_600_000
const OWN_PAGE = { 'x-docent-session': '1' }

// An earlier version kept the key that somebody tried something out with.
localStorage.removeItem('authorized')

const caller = document.querySelector('#caller')

const description = await (await fetch('/openapi.json')).json()
const samples = Object.values(description.paths)
  .flatMap((methods) => Object.values(methods))
  .flatMap((operation) => operation['x-codeSamples'] ?? [])
const sources = samples.map(({ source }) => source)

/** Description whose code calls this server, with the key if there is one. */
function describedWith(key) {
  samples.forEach((sample, index) => {
    const here = sources[index].replaceAll('https://docent.example.com', location.origin)
    sample.source = key
      ? here
          .replace('$DOCENT_API_KEY', key)
          .replace('process.env.DOCENT_API_KEY!', `'${key}'`)
          .replace('os.environ["DOCENT_API_KEY"]', `"${key}"`)
          .replace('import os\n', '')
      : here
  })
  return structuredClone(description)
}

/** Settings of the page; a key that is typed in or made here is kept in no storage. */
const configuration = (key = '') => ({
  content: describedWith(key),
  authentication: {
    preferredSecurityScheme: 'ApiKey',
    securitySchemes: { ApiKey: { value: key }, Bearer: { token: key } },
  },
  persistAuth: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  withDefaultFonts: false,
  operationTitleSource: 'summary',
  defaultOpenFirstTag: true,
  documentDownloadType: 'json',
  // Code for these is in the description, and stands first.
  hiddenClients: { shell: ['curl'], python: true },
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  featuredClients: ['js/fetch', 'go/native', 'java/okhttp'],
})

const reference = globalThis.Scalar.createApiReference('#reference', configuration())

const { data: session } = await read(await fetch('/v1/session', { headers: OWN_PAGE }))
if (session?.identity) greet(session.identity)

/** @returns an empty object for an answer that is none of ours */
async function read(response) {
  return response.json().catch(() => ({}))
}

function greet({ member, workspace, key }) {
  const name = member?.name || key.name
  caller.append(`Signed in as ${name} in ${workspace.name}: what you try out here is sent with your session.`)
  if (member) caller.append(keyButton())
}

function keyButton() {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Fill in a key for an hour'
  button.addEventListener('click', () => {
    button.disabled = true
    fillInKey().catch((error) => {
      button.disabled = false
      caller.append(` ${error.message}`)
    })
  })
  return button
}

async function fillInKey() {
  const expiresAt = new Date(Date.now() + KEY_MS).toISOString()
  const { data, message } = await read(
    await fetch('/v1/account/api-keys', {
      method: 'POST',
      headers: { ...OWN_PAGE, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'API reference', expires_at: expiresAt }),
    }),
  )
  if (!data) throw new Error(message ?? 'No key could be made: look at the server’s log')
  reference.updateConfiguration(configuration(data.key))
  const until = new Date(expiresAt).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
  caller.replaceChildren(`A key of yours is filled in. It ends at ${until}; Settings → My account lists it until then.`)
}
