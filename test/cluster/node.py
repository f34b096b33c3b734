# Runs the engine's library as a real ClickHouse server, with its HTTP interface and its native protocol between nodes.
# Arguments: the library, the data folder, the configuration, the ports of HTTP and of the native protocol.
import ctypes
import signal
import sys

library, folder, config, http, tcp = sys.argv[1:]

# Ends with the test that started it, however that one ends.
PR_SET_PDEATHSIG = 1
ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)

# The process serves for as long as its own statement runs.
statements = (
    "SYSTEM START LISTEN HTTP; SYSTEM START LISTEN TCP; "
    "SELECT sleepEachRow(1) FROM numbers(1000000000) "
    "SETTINGS max_block_size = 1, function_sleep_max_microseconds_per_block = 0 FORMAT Null"
)
arguments = [
    "clickhouse-local",
    f"--path={folder}",
    f"--config-file={config}",
    "--listen_host=127.0.0.1",
    f"--http_port={http}",
    f"--tcp_port={tcp}",
    f"--query={statements}",
]
run = ctypes.CDLL(library).chdb_query_cmdline
run.restype = ctypes.c_void_p
run.argtypes = [ctypes.c_int, ctypes.POINTER(ctypes.c_char_p)]
run(len(arguments), (ctypes.c_char_p * len(arguments))(*(each.encode() for each in arguments)))
