// An https server on a free loopback port that answers every POST with the same Chat Completions stream. Arguments: KEY
// CERTIFICATE. Prints "port N".
const fs = require("fs"), https = require("https");
const answer = 'data: {"choices":[{"delta":{"content":"over TLS"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
const server = https.createServer({key: fs.readFileSync(process.argv[2]), cert: fs.readFileSync(process.argv[3])},
  (request, response) => {
    request.resume();
    request.on("end", () => response.writeHead(200, {"content-type": "text/event-stream"}).end(answer));
  });
server.listen(0, "127.0.0.1", () => console.log("port " + server.address().port + " "));
