// proxy-chain, a forward proxy nobody here wrote, on a free loopback port; run in the folder of its package. A path that is
// asked for is printed ("tunnel host:port"), and refused without the user "someone" and the password "planted-password".
const {Server} = require(process.cwd() + "/node_modules/proxy-chain");
const server = new Server({
  host: "127.0.0.1",
  port: 0,
  prepareRequestFunction: ({username, password, hostname, port}) => {
    const allowed = username === "someone" && password === "planted-password";
    console.log((allowed ? "tunnel " : "refused ") + hostname + ":" + port);
    return {requestAuthentication: !allowed};
  },
});
server.listen().then(() => console.log("port " + server.port + " "));
