# Makes OUTPUT, the dashboard's page as C++ (src/dashboard/assets.h), from SOURCE (ui/) in WORK. Where
# that cannot be, OUTPUT is a page that says why.
set(problem "")
file(MAKE_DIRECTORY ${WORK})
if(NOT NODE OR NOT NPM)
  set(problem "This binary was built without Node.js, which makes this page. Install nodejs and npm and build again.")
else()
  foreach(file package.json package-lock.json .npmrc build.mjs)
    configure_file(${SOURCE}/${file} ${WORK}/${file} COPYONLY)
  endforeach()
  file(SHA256 ${SOURCE}/package-lock.json lock)
  set(installed "")
  if(EXISTS ${WORK}/installed)
    file(READ ${WORK}/installed installed)
  endif()
  if(NOT installed STREQUAL lock)
    execute_process(COMMAND ${NPM} ci --ignore-scripts --no-audit --no-fund WORKING_DIRECTORY ${WORK}
      RESULT_VARIABLE failed OUTPUT_QUIET ERROR_VARIABLE said TIMEOUT 300)
    if(failed)
      message(WARNING "npm cannot install what the dashboard's page is made with: ${said}")
      set(problem "This binary was built where npm could not fetch what this page is made with. Build it again with access to the npm registry.")
    else()
      file(WRITE ${WORK}/installed ${lock})
    endif()
  endif()
endif()

if(problem STREQUAL "")
  execute_process(COMMAND ${CMAKE_COMMAND} -E env BASALT_UI_SOURCE=${SOURCE} ${NODE} build.mjs ${OUTPUT}
    WORKING_DIRECTORY ${WORK} RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "the dashboard's page cannot be bundled")
  endif()
else()
  file(WRITE ${OUTPUT} "#include \"dashboard/assets.h\"

namespace basalt::dashboard {
namespace {

constexpr Asset kAssets[] = {
    {\"/\", \"text/html; charset=utf-8\",
     R\"(<!doctype html><html lang=\"en\"><title>Basalt</title><h1>Basalt</h1><p>${problem}</p>)\"}};

}  // namespace

std::span<const Asset> Assets() { return kAssets; }

}  // namespace basalt::dashboard
")
endif()
