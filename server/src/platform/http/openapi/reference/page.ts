/** Page of the API reference: nothing in it is a script or comes from another host. */
export const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Docent API</title>
    <link rel="stylesheet" href="/docs/start.css" />
  </head>
  <body>
    <p id="caller" role="status"></p>
    <div id="reference"></div>
    <noscript>The reference needs JavaScript; the description itself is <a href="/openapi.json">openapi.json</a>.</noscript>
    <script src="/docs/scalar.js"></script>
    <script type="module" src="/docs/start.js"></script>
  </body>
</html>
`
